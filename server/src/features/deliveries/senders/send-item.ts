import type { Payload } from '../../messages/payloads/payload.ts'
import type { ItemEnd, Lane, MessageInWork } from '../dispatch/held-batch.ts'
import type { BatchTrace } from './batch-trace.ts'

/** The batch of a push. It knows whether the push should still be sent, and receives its end. */
export interface SendingBatch {
  readonly row: { readonly appId: number; readonly lane: Lane; readonly attempts: number }
  readonly message: Pick<MessageInWork, 'id' | 'expiresAt' | 'standing'>
  /** Random factor for the jitter of the whole batch. */
  readonly chance: number
  readonly isLost: boolean
  /** Set while the batch is traced. */
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
  /** The first attempt got no answer. */
  wasUnclear: boolean
  /**
   * The installation's user when last checked, and when that was. Undefined if the push is for any user of the device.
   */
  owner?: { userNo: number; seenAtMs: number }
  /** The message is for the inbox too, and the client is connected. */
  isConnected?: true
}
