import { lateMs } from '#base/batch.ts'
import type { Lease } from '#base/lease.ts'
import type { Assigned } from '../variants/assign-users.ts'
import type { MessageInWork, PutBack, Settled } from './held-batch.ts'

export interface Settlement {
  appId: number
  batchNo: number
  lease: Lease
  lane: string
  attempts: number
  /** All of the batch is known: the row goes. Else it stays ours for another while, without what is put back. */
  isFinal: boolean
  /** Its message was paused or cancelled, and all was called back that no provider has. */
  isStopped: boolean
  message: MessageInWork
  /** In which language of the message each installation gets it; undefined where it has no languages. */
  languages?: ReadonlyMap<number, string> | undefined
  /** What each installation is given of a message that is a test; undefined where it is none. */
  variants?: ReadonlyMap<number, Assigned> | undefined
  settled: Settled[]
  putBacks: PutBack[]
}

/** It is to wait for its installation over the own connection. */
export function isForInbox(
  { product }: MessageInWork,
  { state, isNotified, isKept }: Pick<Settled, 'state'> & { isNotified?: true | undefined; isKept?: true | undefined },
): boolean {
  return state !== 'ended' && state !== 'delivered' && (product === 'message' || isNotified === true || isKept === true)
}

/** What waited long to be stored, because the database was away, has the time at which it is: see `refresh` in base/batch.ts. */
export function withPresentTimes(settlement: Settlement, now: Date): Settlement {
  const isLate = ({ at }: Settled) => now.getTime() - at.getTime() > 2 * lateMs
  if (!settlement.settled.some(isLate)) return settlement
  return { ...settlement, settled: settlement.settled.map((each) => (isLate(each) ? { ...each, at: now } : each)) }
}
