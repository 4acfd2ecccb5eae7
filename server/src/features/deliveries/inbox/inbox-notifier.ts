import { busOf } from '#base/bus/bus.ts'
import { Listeners } from '#base/bus/listeners.ts'
import type { Store } from '#base/store/store.ts'
import { holderNoticesOf, type ToldKey } from './holder-notices.ts'

/** An installation for which something came into the inbox. */
export interface InboxKey {
  appId: number
  installationNo: number
  /** What came, where that is told in the process that put it there and need not be read again. */
  fresh?: Fresh
}

export interface Fresh {
  messageId: string
  /** Whom it was put there for. */
  userNo: number
  userId: string
  deviceType: string
}

/** Answers whether the installation is connected to this process: then no other has to be told. */
type Listener = (key: InboxKey) => boolean

const topic = 'inbox'
const listeners = new Listeners<Listener>()

/** Told when a message came into the inbox of an installation, whichever process put it there. */
export function onInbox(store: Store, listener: Listener): () => void {
  const remove = listeners.add(store, listener)
  const stopListening = busOf(store).on(topic, (body) => {
    if (!Array.isArray(body)) return
    for (const [appId, installationNo] of body as ToldKey[]) listener({ appId, installationNo })
  })
  return () => {
    remove()
    stopListening()
  }
}

/** Called after the commit, for installations that are connected. A notice that is lost only delays the message. */
export function notifyInbox(store: Store, keys: readonly InboxKey[]): void {
  const here = listeners.of(store)
  const elsewhere = keys.filter((key) => !callAll(here, key))
  if (elsewhere.length === 0) return
  if (busOf(store).isNatsOpen) holderNoticesOf(store, topic).add(elsewhere.map(asTold))
  else void busOf(store).tell(topic, elsewhere.map(asTold))
}

/**
 * The same for installations that were not connected when their provider was chosen, and may be by now: those that came to
 * this process are told at once. Others find it when they look.
 */
export function notifyInboxHere(store: Store, keys: readonly InboxKey[]): void {
  const here = listeners.of(store)
  for (const key of keys) callAll(here, key)
}

function asTold({ appId, installationNo }: InboxKey): ToldKey {
  return [appId, installationNo]
}

function callAll(here: readonly Listener[], key: InboxKey): boolean {
  let isHere = false
  for (const listener of here) if (listener(key)) isHere = true
  return isHere
}
