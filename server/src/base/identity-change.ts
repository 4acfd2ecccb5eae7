import { busOf } from './bus.ts'
import { Listeners } from './listeners.ts'
import type { Store } from './store/store.ts'

type Listener = (appId: number) => void

const topic = 'identity-change'
const listeners = new Listeners<Listener>()

/** Told when an app gets another identity secret, or none: what is remembered of the old one is to be forgotten. */
export function onIdentityChange(store: Store, listener: Listener): () => void {
  return listeners.add(store, listener)
}

/** For a process that is on the bus anyway: its listeners are told of changes in the others too. */
export function hearIdentityChanges(store: Store): () => void {
  return busOf(store).on(topic, (appId) => tellHere(store, appId as number))
}

/** The change may be committed a moment later: it belongs to the caller's transaction. */
export function announceIdentityChange(store: Store, appId: number): void {
  tellHere(store, appId)
  busOf(store).tell(topic, appId)
}

function tellHere(store: Store, appId: number): void {
  for (const listener of listeners.of(store)) listener(appId)
}
