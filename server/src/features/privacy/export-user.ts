import sql from 'sql-template-tag'
import type { Context } from '../../base/context.ts'
import { promiseToRead } from '../../base/store/wait-for-older-writers.ts'
import { limitTurnsOfEach } from '../../base/turns-of-each.ts'
import { readInstallationAnswers } from '../installations/read-installation-answers.ts'
import { messageAnswer } from '../messages/message-answer.ts'
import { getUser } from '../statistics/get-user.ts'
import {
  listCounters,
  listDeliveries,
  listEvents,
  listInstallationNos,
  listMessages,
  listPastTokens,
  listPromoCodes,
  listReceipts,
  listSms,
  listUninstalls,
  type Owner,
  readAttributes,
  readTags,
} from './export-store.ts'
import { takeTime } from './take-time.ts'

/** Each is built whole; only of events there may be too many for that. */
const inTurn = limitTurnsOfEach<number>({
  ofEach: 2,
  ofAll: 4,
  waiting: { max: 8, tooMany: 'Too many exports are being made. Try again in a few seconds.' },
})

/** Everything that is kept of a user, push tokens too: they are the user's. One picture of one moment; times are epoch milliseconds. */
export async function exportUser(ctx: Context, input: { userId: string }) {
  return inTurn(ctx.app.id, () => readAll(ctx, input))
}

function readAll(ctx: Context, { userId }: { userId: string }) {
  return ctx.store.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read`)
    await promiseToRead(tx)
    await takeTime(tx)
    const user = await getUser(tx, ctx, userId)
    const installationNos = await listInstallationNos(tx, ctx.app.id, user.user_no)
    const owner: Owner = { appId: ctx.app.id, userId, userNo: user.user_no, installationNos }
    const messages = await listMessages(tx, owner)
    const { events, cursor } = await listEvents(tx, owner)
    return {
      user: { userId, isGuest: user.is_guest ?? undefined, createdAt: user.created_at?.getTime() },
      tags: await readTags(tx, owner),
      attributes: await readAttributes(tx, owner),
      installations: await readInstallationAnswers({ ...ctx, tx }, installationNos),
      pastTokens: await listPastTokens(tx, owner),
      uninstalls: await listUninstalls(tx, owner),
      events,
      ...(cursor !== undefined && { eventsCursor: cursor }),
      eventCounters: await listCounters(tx, owner),
      messages: messages.map(messageAnswer),
      deliveries: await listDeliveries(tx, owner),
      receipts: await listReceipts(tx, owner),
      promoCodes: await listPromoCodes(tx, owner),
      sms: await listSms(tx, owner),
    }
  })
}
