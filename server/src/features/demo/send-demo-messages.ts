import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { creditEvents } from '../events/influence/credit-events.ts'
import { onChannel } from '../messages/accept/recipients-condition.ts'
import { readMessageChannel } from '../messages/compose/message-channel.ts'
import { sendByQuery } from '../messages/send/send-by-query.ts'
import { sendToUsers } from '../messages/send/send-to-users.ts'
import { getMessageRow } from '../messages/stored/get-message-row.ts'
import { markFinished } from '../messages/stored/mark-finished.ts'
import { takeCodes } from '../promo/take-codes.ts'
import { storePastDeliveries } from '../receipts/store-past-deliveries.ts'
import { compileAudience } from '../segments/compile/compile-audience.ts'
import { makeDemoDelivery } from './demo-deliveries.ts'
import { type DemoMessage, demoMessages } from './demo-messages.ts'
import { seededRandom } from './seeded-random.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

/**
 * What the shop has sent lately and what became of it. `beforeEach` is told the time of each message before it goes
 * out: who has left by then does not get it.
 */
export async function sendDemoMessages(
  ctx: Context,
  beforeEach: (at: number) => Promise<void>,
): Promise<{ at: Date; count: number }[]> {
  const now = Number(ctx.now())
  const today = now - (now % DAY)
  const kept = Date.UTC(ctx.now().getUTCFullYear(), ctx.now().getUTCMonth() - 1)
  const timed = demoMessages.map((message) => ({ message, at: today - message.daysAgo * DAY + message.hour * HOUR }))
  const sent = timed.filter(({ at }) => at > kept)
  const messages = []
  for (const [index, { message, at }] of sent.entries()) {
    await beforeEach(at)
    const count = await send({ ...ctx, now: () => new Date(at) }, message, now, index)
    messages.push({ at: new Date(at), count })
  }
  await beforeEach(now)
  await creditEvents({ store: ctx.store, now: ctx.now })
  return messages
}

/** Returns the number of installations it was sent to. */
async function send(ctx: Context, message: DemoMessage, now: number, index: number): Promise<number> {
  const id = await accept(ctx, message)
  const recipients = await listRecipients(ctx, id)
  const random = seededRandom(7_000 + index)
  const sentAt = Number(ctx.now())
  const deliveries = recipients.map((row, position) =>
    makeDemoDelivery(
      random,
      { installationNo: row.installation_no, deviceType: row.device_type },
      message,
      sentAt + 800 + position * 6,
      now,
    ),
  )
  if (message.content.includes('promoCode')) {
    const userNos = [...new Set(recipients.map((row) => row.user_no))]
    await inTransaction(ctx, (tx) =>
      takeCodes(tx, { appId: ctx.app.id, messageId: id, trackId: message.trackId, userNos }),
    )
  }
  await storePastDeliveries(ctx, { messageId: id, recipients: recipients.length, deliveries })
  await markFinished({ ...ctx, now: () => new Date(sentAt + 1_000 + recipients.length * 6) }, { id })
  return recipients.length
}

async function accept(
  ctx: Context,
  { content, notification, trackId, segment, channel }: DemoMessage,
): Promise<string> {
  const shared = { content, notification, ...(trackId !== undefined && { trackId }) }
  const accepted =
    channel === undefined
      ? await sendByQuery(ctx, { ...shared, segment: { ...segment } })
      : await sendToUsers(ctx, { ...shared, user: '*', channel })
  return (accepted as { id: string }).id
}

/** As deliveries/dispatch/expand-audience.ts finds them. */
async function listRecipients(ctx: Context, id: string) {
  const { accepted_at, target, channel } = await getMessageRow(ctx, id)
  const condition = await compileAudience(ctx, target ?? { target: {} }, accepted_at, {
    wasAccepted: true,
    createdBy: accepted_at,
  })
  return ctx.store.query<{ installation_no: number; device_type: string; user_no: number }>(sql`
    select i.installation_no, i.device_type, i.user_no from installations i
    where ${condition}${onChannel(readMessageChannel(channel).subscription)} order by i.installation_no`)
}
