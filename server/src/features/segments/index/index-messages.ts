import type pg from 'pg'
import type { Condition, FittedRule } from '../condition.ts'
import type { StepCounts } from '../count/count-steps.ts'

/** What the thread of an index is started with. */
export interface IndexTask {
  address: pg.ClientConfig
  appId: number
  publication: string
  /** It ends rather than take more. */
  mostBytes: number
}

export interface Question {
  id: number
  /** All that was committed up to this position of the log counts. */
  position: number
  conditions: readonly Condition<FittedRule>[]
  atMs: number
}

export type FromIndex =
  | { kind: 'ready' }
  | { kind: 'status'; position: number; bytes: number; installations: number }
  /** Without counts, SQL has to be asked. */
  | { kind: 'answer'; id: number; counts: StepCounts | undefined }
  | { kind: 'too-large' }
