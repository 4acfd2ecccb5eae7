import type { Endpoints } from '../../../../base/external.ts'
import type { StoreConnection } from '../../../../base/store/store.ts'
import type { IndexQuestion } from '../../../../features/segments/index/count-by-index.ts'
import type { IndexAnswer } from '../../../../features/segments/index/indexes-elsewhere.ts'
import type { ProcessFigures } from '../../../http/operations/metrics-of-all.ts'
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
  | { kind: 'end' }
  | { kind: 'show-metrics'; question: number }
  | { kind: 'metrics'; question: number; figures: ProcessFigures[] }
  /** To the one that keeps the indexes of segments, with the number of the one that asks. */
  | { kind: 'count'; asker: number; question: number; asked: IndexQuestion }
  | { kind: 'counted'; question: number; answer: IndexAnswer }

/** What a process tells the primary. */
export type ToPrimary =
  | { kind: 'listening' }
  | { kind: 'failed'; message: string }
  | { kind: 'gather-metrics'; question: number }
  | { kind: 'metrics'; question: number; metrics: ProcessFigures['metrics'] }
  | { kind: 'count'; question: number; asked: IndexQuestion }
  | { kind: 'counted'; asker: number; question: number; answer: IndexAnswer }

/** The process that keeps the indexes of segments for all of them. */
export const indexKeeper = 1
