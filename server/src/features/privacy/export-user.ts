import sql from 'sql-template-tag'
import { SpooledText } from '#base/answers/spooled-text.ts'
import { limitConcurrencyPerKey } from '#base/concurrency/concurrency-limit-per-key.ts'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { promiseToRead } from '#base/store/wait-for-older-writers.ts'
import { readInstallationAnswers } from '../installations/read/read-installation-answers.ts'
import { getUser } from '../statistics/users/get-user.ts'
import {
  listCounters,
  listDeliveries,
  listEvents,
  listInstallationNos,
  listMessages,
  listPastTokens,
  listPreferences,
  listPromoCodes,
  listReceipts,
  listSeries,
  listSms,
  listTags,
  listUninstalls,
  type Owner,
  readAttributes,
} from './export-store.ts'
import { raiseStatementTimeout } from './raise-statement-timeout.ts'

/** Each holds a connection and writes a file. */
const inTurn = limitConcurrencyPerKey<number>({
  ofEach: 2,
  ofAll: 4,
  waiting: { max: 8, tooMany: 'Too many exports are being made. Try again in a few seconds.' },
})

/**
 * Everything that is kept of a user, push tokens too: they are the user's. One picture of one moment, as JSON; times are
 * epoch milliseconds. The connection is free again before the first byte is sent, however slowly it is read.
 */
export async function exportUser(ctx: Context, { userId }: { userId: string }): Promise<SpooledText> {
  return inTurn(ctx.app.id, () =>
    ctx.store.transaction(async (tx) => {
      await tx.query(sql`set transaction isolation level repeatable read`)
      await promiseToRead(tx)
      await raiseStatementTimeout(tx)
      // All rows are read: the quickest way to the first ones is not wanted.
      await tx.query(sql`set local cursor_tuple_fraction = 1`)
      return SpooledText.write(writeObject(await readAll({ ...ctx, tx }, userId)))
    }),
  )
}

/** What an object of JSON consists of: values, and lists that are read when it is their turn. */
type Parts = Record<string, object | AsyncIterable<object>>

async function readAll(ctx: Context & { tx: Transaction }, userId: string): Promise<Parts> {
  const { app, tx } = ctx
  const user = await getUser(tx, ctx, userId)
  const installationNos = await listInstallationNos(tx, app.id, user.user_no)
  const owner: Owner = { appId: app.id, userId, userNo: user.user_no, installationNos }
  return {
    user: { userId, isGuest: user.is_guest ?? undefined, createdAt: user.created_at?.getTime() },
    tags: listTags(tx, owner),
    attributes: await readAttributes(tx, owner),
    preferences: listPreferences(tx, owner),
    installations: await readInstallationAnswers(ctx, installationNos),
    pastTokens: listPastTokens(tx, owner),
    uninstalls: listUninstalls(tx, owner),
    events: listEvents(tx, owner),
    eventCounters: listCounters(tx, owner),
    messages: listMessages(tx, owner),
    series: listSeries(tx, owner),
    deliveries: listDeliveries(tx, owner),
    receipts: listReceipts(tx, owner),
    promoCodes: listPromoCodes(tx, owner),
    sms: listSms(tx, owner),
  }
}

async function* writeObject(parts: Parts): AsyncGenerator<string> {
  let sign = '{'
  for (const [name, part] of Object.entries(parts)) {
    yield `${sign}${JSON.stringify(name)}:`
    if (Symbol.asyncIterator in part) yield* writeList(part)
    else yield JSON.stringify(part)
    sign = ','
  }
  yield '}'
}

async function* writeList(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let sign = '['
  for await (const row of rows) {
    yield sign + JSON.stringify(row)
    sign = ','
  }
  yield sign === '[' ? '[]' : ']'
}
