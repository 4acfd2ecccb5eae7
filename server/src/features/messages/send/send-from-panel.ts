import type { ComposedMessage } from '@peyk/contract'
import { announceWork } from '../../../base/bus/wake.ts'
import { type Context, inTransaction } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import { checkAbility } from '../../accounts/members/abilities.ts'
import type { Accepted } from '../accept/draft-message.ts'
import { checkPanelMessage } from './check-panel-message.ts'
import { notifyUsers } from './notify-users.ts'
import { allKeys, groupKeys, readReceiverKey, readUsers } from './read-receivers.ts'
import { sendByQuery } from './send-by-query.ts'
import { sendToUsers } from './send-to-users.ts'

export interface PanelSend extends ComposedMessage {
  /** How many installations the member was told. */
  confirmed: number
}

const personalUsers = 10
const grownByShare = 1.1
const grownByCount = 50

/** Sends as a member may: to a few named users, or to many. Nothing is sent when it became far more than was confirmed. */
export async function sendFromPanel(ctx: Context, { confirmed, ...composed }: PanelSend): Promise<Accepted> {
  checkPanelMessage(composed)
  const { product, ...sent } = composed
  const key = readReceiverKey(sent, allKeys)
  const userIds = groupKeys.includes(key) ? undefined : readUsers(sent)
  if (userIds === undefined || userIds.length > personalUsers) checkAbility(ctx, 'send-to-many')
  const accepted = await inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const message = { ...sent, content: sent.content ?? '' }
    const answer =
      product === 'notification'
        ? await notifyUsers(inner, sent)
        : await (groupKeys.includes(key) ? sendByQuery(inner, message) : sendToUsers(inner, message))
    checkGrowth((answer as Accepted).count, confirmed)
    return answer as Accepted
  })
  announceWork(ctx.store)
  return accepted
}

/** A few more or less between looking and sending are usual; another audience is not. */
function checkGrowth(count: number, confirmed: number): void {
  if (count <= Math.max(confirmed * grownByShare, confirmed + grownByCount)) return
  throw new RequestError(
    'audience-grew',
    `${confirmed} devices were confirmed, but it would go to ${count} by now. Nothing was sent.`,
    { details: { field: 'confirmed', confirmed, count } },
  )
}
