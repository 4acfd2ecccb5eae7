import type pg from 'pg'
import type { Condition, FittedRule } from '../condition.ts'
import type { StepCounts } from '../count/count-steps.ts'
import type { ListedPart } from './listed-part.ts'

/** What the thread of an index is started with. */
export interface IndexTask {
  address: pg.ClientConfig
  appId: number
  publication: string
  /** It ends rather than take more. */
  mostBytes: number
}

/** What can be asked of an index, and what it answers. */
export interface Answers {
  count: StepCounts
  list: ListedPart[]
  /** The numbers of those that were there last. */
  recent: number[]
}

export interface Question {
  id: number
  wants: keyof Answers
  /** All that was committed up to this position of the log counts. */
  position: number
  conditions: readonly Condition<FittedRule>[]
}

export type FromIndex =
  | { kind: 'ready' }
  | { kind: 'status'; position: number; bytes: number; installations: number }
  /** Undefined where SQL has to be asked. */
  | { kind: 'answer'; id: number; answer: Answers[keyof Answers] | undefined }
  | { kind: 'too-large' }
