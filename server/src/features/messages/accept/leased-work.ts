import { Listeners } from '#base/bus/listeners.ts'
import type { Lease } from '#base/lease.ts'
import type { Store } from '#base/store/store.ts'
import type { AppLook } from '../../accounts/apps/get-app-look.ts'
import type { Reach } from '../../installations/read/reach.ts'
import type { NamedDraft } from './named-draft.ts'

/** A batch that was stored with a lease of this process, and all that is known of it: nobody has to read it again. */
export interface LeasedWork {
  batchNo: number
  draft: NamedDraft
  app: AppLook
  /** Of the whole message. */
  recipients: number
  installations: Reach[]
}

/** Somebody in this process who sends what it accepts. */
export interface WorkTaker {
  /** Undefined while there is no room: then the work is left for whoever looks for it. */
  offerLease(): LeaseOffer | undefined
}

export interface LeaseOffer {
  lease: Lease
  /** How long a client is expected back that lost its connection without its doing. */
  returningMs: number
  hasRoomFor(appId: number): boolean
  /** To be called when the work is committed. */
  take(work: readonly LeasedWork[]): void
}

const takers = new Listeners<WorkTaker>()

/** Answers how to end it. */
export function addWorkTaker(store: Store, taker: WorkTaker): () => void {
  return takers.add(store, taker)
}

export function findLeaseOffer(store: Store): LeaseOffer | undefined {
  for (const taker of takers.of(store)) {
    const offer = taker.offerLease()
    if (offer) return offer
  }
  return undefined
}
