import type { ComposedMessage } from '@peyk/contract'
import { announceWork } from '#base/bus/wake.ts'
import { type Context, inTransaction } from '#base/context.ts'
import type { Accepted } from '../accept/draft-message.ts'
import { checkGrowth } from './check-growth.ts'
import { notifyUsers } from './notify-users.ts'
import { readPanelSend } from './read-panel-send.ts'
import { sendByQuery } from './send-by-query.ts'
import { sendToUsers } from './send-to-users.ts'

export interface PanelSend extends ComposedMessage {
  /** How many installations the member was told. */
  confirmed: number
}

/**
 * Sends what a member may send: to a few named users, or to many. Sends nothing if the audience has grown far beyond
 * what was confirmed, or beyond what one member may send to alone (`atMost`).
 */
export async function sendFromPanel(
  ctx: Context,
  { confirmed, ...composed }: PanelSend,
  { atMost }: { atMost?: number | undefined } = {},
): Promise<Accepted> {
  const { product, sent, isGroup } = readPanelSend(ctx, composed)
  const accepted = await inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const message = { ...sent, content: sent.content ?? '' }
    const answer =
      product === 'notification'
        ? await notifyUsers(inner, sent)
        : await (isGroup ? sendByQuery(inner, message) : sendToUsers(inner, message))
    checkGrowth((answer as Accepted).count, confirmed, atMost)
    return answer as Accepted
  })
  announceWork(ctx.store)
  return accepted
}
