import type { Endpoints } from '#base/external.ts'
import type { StoreConnection } from '#base/store/store.ts'
import type { ProcessFigures } from '#entry/http/operations/metrics-of-all.ts'
import type { Demo } from '../demo.ts'

/** What a process is told before it serves: everything that is there once for all of them. */
export interface Beginning {
  connection: StoreConnection
  poolSize: number
  host: string
  port: number
  mqttPort: number
  /** In development only. */
  endpoints: Endpoints | undefined
  demo: Demo | undefined
}

/** What the primary tells a process. */
export type ToProcess =
  | { kind: 'begin'; process: number; beginning: Beginning }
  | { kind: 'end'; isPlanned: boolean }
  | { kind: 'show-metrics'; question: number }
  | { kind: 'metrics'; question: number; figures: ProcessFigures[] }

/** What a process tells the primary. */
export type ToPrimary =
  | { kind: 'listening' }
  | { kind: 'failed'; message: string }
  | { kind: 'gather-metrics'; question: number }
  | { kind: 'metrics'; question: number; metrics: ProcessFigures['metrics'] }
