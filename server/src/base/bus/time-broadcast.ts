import type { Store } from '../store/store.ts'
import { busOf } from './bus.ts'

const topic = 'time'

/** Told when a demonstration has put the time forward in another process. */
export function onTimeForward(store: Store, listener: () => void): () => void {
  return busOf(store).on(topic, listener)
}

/** Called after the commit. When it is lost, others notice within seconds. */
export function announceTimeForward(store: Store): Promise<void> {
  return busOf(store).tell(topic, null)
}
