import type { Payload } from '../../messages/payloads/payload.ts'
import type { ItemEnd, Lane, MessageInWork } from '../dispatch/held-batch.ts'
import type { BatchTrace } from './batch-trace.ts'

/** What pushes belong to: it says whether they are still to be sent, and is told what became of each. */
export interface SendingBatch {
  readonly row: { readonly appId: number; readonly lane: Lane; readonly attempts: number }
  readonly message: Pick<MessageInWork, 'id' | 'expiresAt' | 'standing'>
  /** One random delay for the whole batch. */
  readonly chance: number
  readonly isLost: boolean
  /** While it is traced. */
  readonly trace?: BatchTrace | undefined
  isOurs(): boolean
  end(end: ItemEnd): void
}

export interface SendItem {
  batch: SendingBatch
  installationNo: number
  token: string
  tokenChangedAt: Date | null
  payload: Payload
  /** No answer came the first time. */
  wasUnclear: boolean
  /** Whose the installation was when it was looked at, and when that was. Undefined where it goes to whoever has it. */
  owner?: { userNo: number; seenAtMs: number }
  /** The message is for its inbox too, and its client is there to be told. */
  isConnected?: true
}
