import type { Store } from '../store/store.ts'
import { busOf } from './bus.ts'
import { Listeners } from './listeners.ts'

type Listener = () => void

const topic = 'work'
/** Others are told at most so often: a loop that was woken does not look more often for it. */
const tellEveryMs = 4
const listeners = new Listeners<Listener>()
const tellings = new WeakMap<Store, { timer: NodeJS.Timeout | undefined; atMs: number }>()

/** Told when there is work: of this process, or of one that does none itself. Nothing depends on being told. */
export function onWork(store: Store, listener: Listener): () => void {
  const remove = listeners.add(store, listener)
  const stopHearing = busOf(store).hear(topic, listener, { byOne: true })
  return () => {
    remove()
    stopHearing()
  }
}

/** Called after a commit that left work to do. */
export function announceWork(store: Store): void {
  const here = listeners.of(store)
  for (const listener of here) listener()
  if (here.length === 0 && busOf(store).peers.count > 0) tellOthers(store)
}

function tellOthers(store: Store): void {
  const telling = tellings.get(store) ?? { timer: undefined, atMs: Number.NEGATIVE_INFINITY }
  tellings.set(store, telling)
  const waitMs = Math.max(0, telling.atMs + tellEveryMs - performance.now())
  telling.timer ??= setTimeout(() => {
    telling.timer = undefined
    telling.atMs = performance.now()
    void busOf(store).tell(topic, null)
  }, waitMs).unref()
}
