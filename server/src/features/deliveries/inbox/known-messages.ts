import type { Store } from '#base/store/store.ts'
import { type CompiledMessage, compileConnection } from '../../messages/payloads/compile-connection.ts'
import type { StoredMessage } from './inbox-store.ts'

/** A message as it goes over the own connection. */
export interface KnownMessage {
  channel: string
  isLive: boolean
  isForOpenApp: boolean
  hasVariants: boolean
  compiled: CompiledMessage
}

const maxKnown = 1_000
const knownOf = new WeakMap<Store, Map<string, KnownMessage>>()

export function isMessageKnown(store: Store, id: string): boolean {
  return knownOf.get(store)?.has(id) ?? false
}

/** A message, or what it is for those who have it until another moment than others. */
export function knownKey({ message_id: id, own_end: end }: { message_id: string; own_end?: number | null }): string {
  return end == null ? id : `${id}/${end}`
}

/** A message never changes once it is accepted, so it is compiled once. By its key. */
export function findMessages(
  store: Store,
  rows: readonly { message_id: string; own_end?: number | null; message: StoredMessage | null }[],
): Map<string, KnownMessage> {
  let known = knownOf.get(store)
  if (!known || known.size > maxKnown) {
    known = new Map()
    knownOf.set(store, known)
  }
  for (const row of rows) {
    const key = knownKey(row)
    if (row.message && !known.has(key)) known.set(key, compile(row.message_id, row.message))
  }
  return known
}

function compile(id: string, stored: StoredMessage): KnownMessage {
  const message = {
    id,
    product: stored.product,
    trackId: stored.track_id ?? undefined,
    clientId: stored.client_id ?? undefined,
    acceptedAt: new Date(stored.accepted_at),
    expiresAt: new Date(stored.expires_at),
    content: stored.body,
  }
  const { app_name: name, notification_text: notificationText, icon } = stored
  const look = { name, notificationText: notificationText ?? undefined, icon: icon ?? undefined }
  const { live: isLive = false, inApp = false, variants } = stored.body
  return {
    channel: stored.channel,
    isLive,
    isForOpenApp: isLive || inApp,
    hasVariants: variants !== undefined,
    compiled: compileConnection(message, look),
  }
}
