import type { Store } from '../store/store.ts'
import { busOf } from './bus.ts'
import { Listeners } from './listeners.ts'

type Listener = (appId: number) => void

/** Something that happens to an app, and that every process has to know at once. */
export function defineAppBroadcast(topic: string) {
  const listeners = new Listeners<Listener>()
  const tellHere = (store: Store, appId: number): void => {
    for (const listener of listeners.of(store)) listener(appId)
  }
  return {
    on: (store: Store, listener: Listener): (() => void) => listeners.add(store, listener),
    /** For a process that is on the bus anyway: its listeners are told of what happens in the others too. */
    hear: (store: Store): (() => void) => busOf(store).on(topic, (appId) => tellHere(store, appId as number)),
    /** The change may be committed a moment later: it belongs to the caller's transaction. */
    announce: (store: Store, appId: number): void => {
      tellHere(store, appId)
      void busOf(store).tell(topic, appId)
    },
  }
}
