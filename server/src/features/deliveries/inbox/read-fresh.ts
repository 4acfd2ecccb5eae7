import type { Context } from '#base/context.ts'
import { type FreshAsk, readFreshRows } from './fresh-messages-store.ts'
import { findMessages, isMessageKnown, type KnownMessage } from './known-messages.ts'

export type FreshInput = Omit<FreshAsk, 'isKnown'>

/** A message that has just come into inboxes, and is the same for all of them. */
export interface FreshMessage {
  secondsLeft: number
  /** Undefined: it has to be read for each inbox after all. */
  sendable: { channel: string; body: Buffer } | undefined
  /** Installations whose user is another one by now, or that are gone. */
  changed: ReadonlySet<number>
  /** Installations for which something older waits, or is on its way. */
  behind: ReadonlySet<number>
}

/** By id; those that are not to be sent now (cancelled, paused, stopped, expired, deleted) are missing. */
export async function readFresh(
  { store }: Pick<Context, 'store'>,
  input: readonly FreshInput[],
): Promise<Map<string, FreshMessage>> {
  const rows = await readFreshRows(
    store,
    input.map((ask) => ({ ...ask, isKnown: isMessageKnown(store, ask.messageId) })),
  )
  const known = findMessages(store, rows)
  return new Map(
    rows.map((row) => {
      const sendable = sendableOf(known.get(row.message_id))
      const { seconds_left: secondsLeft } = row
      const changed = new Set(row.changed.map(Number))
      return [row.message_id, { secondsLeft, sendable, changed, behind: new Set(row.behind.map(Number)) }]
    }),
  )
}

function sendableOf(message: KnownMessage | undefined): FreshMessage['sendable'] {
  if (!message || message.isForOpenApp || message.compiled.isPersonal) return undefined
  const rendered = message.compiled.render()
  return rendered.kind === 'ready' ? { channel: message.channel, body: rendered.body } : undefined
}
