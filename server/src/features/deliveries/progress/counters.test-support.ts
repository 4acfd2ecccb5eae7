import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { timeOrderedId } from '#base/ids.ts'

/** A message to so many, as it is after it was accepted. `sentTo`: it is being sent to these installations. */
export async function addMessageTo(
  ctx: Context,
  recipients: number,
  options: { trackId?: string; at?: Date; sentTo?: readonly number[] } = {},
): Promise<string> {
  const at = options.at ?? ctx.now()
  const id = timeOrderedId(at)
  await ctx.store.query(sql`
    insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, body)
    values (${ctx.app.id}, ${id}, ${at}, ${new Date(Number(at) + 30 * 86_400_000)}, ${recipients}, 'message', 'query',
      'default', ${options.trackId ?? null}, '{}')`)
  if (options.sentTo)
    await ctx.store.query(sql`
      insert into delivery_batches (app_id, message_id, lane, stream, attempts, installation_nos)
      values (${ctx.app.id}, ${id}, 'group', 'fcm', 1, ${[...options.sentTo]}::bigint[])`)
  return id
}

type Counts = Record<string, number>

/** What the counters say of a message, without what is 0. */
export async function readCounters(ctx: Context, messageId: string): Promise<Counts> {
  return toCounts(
    await ctx.store.query(sql`
      select state, reason, sum(count)::bigint as count from delivery_counters
      where app_id = ${ctx.app.id} and message_id = ${messageId} group by state, reason having sum(count) <> 0`),
  )
}

/** What its deliveries say. */
export async function countRows(ctx: Context, messageId: string): Promise<Counts> {
  return toCounts(
    await ctx.store.query(sql`
      select state, coalesce(reason, '') as reason, count(*) as count from deliveries
      where app_id = ${ctx.app.id} and message_id = ${messageId} group by state, reason`),
  )
}

function toCounts(rows: { state: string; reason: string; count: number }[]): Counts {
  return Object.fromEntries(
    rows.map(({ state, reason, count }) => [reason ? `${state}:${reason}` : state, count]).sort(),
  )
}
