import { Listeners } from '#base/bus/listeners.ts'
import type { Store } from '#base/store/store.ts'
import type { Fresh } from '../inbox/inbox-notifier.ts'

/** `waits`: it was not sent, or not acknowledged in time, and has to wait in the inbox. */
export type DirectEnd = 'acknowledged' | 'waits' | { refused: string }

/**
 * A message that goes to a connected client before anything is stored of its delivery: the batch it belongs to stays
 * leased meanwhile. Usually the client acknowledges at once, and all that is to be stored is that it has the message.
 */
export class DirectDelivery {
  private onEnd: ((how: DirectEnd) => Promise<void>) | undefined
  private readonly isStillToBeSent: () => boolean

  constructor(isStillToBeSent: () => boolean, onEnd: (how: DirectEnd) => Promise<void>) {
    this.isStillToBeSent = isStillToBeSent
    this.onEnd = onEnd
  }

  mayGo(): boolean {
    return this.onEnd !== undefined && this.isStillToBeSent()
  }

  /** Answers when that is stored; undefined where it had an end before. */
  end(how: DirectEnd): Promise<void> | undefined {
    const { onEnd } = this
    this.onEnd = undefined
    return onEnd?.(how)
  }
}

export interface DirectOffer {
  appId: number
  installationNo: number
  fresh: Fresh
  direct: DirectDelivery
}

/** Answers whether it takes it: then it ends it. */
type Taker = (offer: DirectOffer) => boolean

const takers = new Listeners<Taker>()

/** Called by who holds connections in this process. */
export function takeDirectly(store: Store, taker: Taker): () => void {
  return takers.add(store, taker)
}

/** Answers whether somebody took it. Else nothing has happened, and nothing will. */
export function offerDirectly(store: Store, offer: DirectOffer): boolean {
  return takers.of(store).some((taker) => taker(offer))
}
