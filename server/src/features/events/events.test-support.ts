import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'

/** A clock that never says the same twice, so that events have an order. */
export function tickingClock(start = Date.now() - 3_600_000): () => Date {
  let time = start
  return () => new Date(time++)
}

export async function addUser(ctx: Context, userId: string, isGuest = false): Promise<number> {
  const [row] = await ctx.store.query<{ user_no: number }>(sql`
    insert into users (app_id, user_id, is_guest) values (${ctx.app.id}, ${userId}, ${isGuest})
    on conflict (app_id, user_id) do update set is_guest = excluded.is_guest returning user_no`)
  return row?.user_no as number
}

/** A device of a user who logged in on it so many minutes ago. */
export async function addInstallation(
  ctx: Context,
  userId: string,
  minutesAgo = 0,
): Promise<{ id: string; no: number }> {
  const userNo = await addUser(ctx, userId)
  const id = randomUUID()
  const at = new Date(Number(ctx.now()) - minutesAgo * 60_000)
  const [row] = await ctx.store.query<{ installation_no: number }>(sql`
    insert into installations (app_id, user_no, login_user_no, installed_at, launched_at, logged_in_at, is_guest, id, device_type)
    values (${ctx.app.id}, ${userNo}, ${userNo}, ${at}, ${at}, ${at}, false, ${id}, 'android') returning installation_no`)
  return { id, no: row?.installation_no as number }
}

/** Another user, or a guest, has the device now. */
export async function giveInstallation(ctx: Context, id: string, userId: string, isGuest: boolean): Promise<void> {
  const userNo = await addUser(ctx, userId, isGuest)
  await ctx.store.query(sql`
    update installations set user_no = ${userNo}, is_guest = ${isGuest},
      login_user_no = case when ${isGuest} then login_user_no else ${userNo} end
    where app_id = ${ctx.app.id} and id = ${id}`)
}

/** A message to few was sent to these installations. */
export async function addDeliveries(ctx: Context, messageId: string, phones: readonly { no: number }[]): Promise<void> {
  await ctx.store.query(sql`
    insert into deliveries (app_id, message_id, installation_no, state, provider, sent_at)
    select ${ctx.app.id}, ${messageId}, no, 'sent', 'fcm', now() from unnest(${phones.map(({ no }) => no)}::bigint[]) as p(no)`)
}

export interface StoredRow {
  id: string
  user_id: string
  installation_id: string | null
  event_at: Date
  name: string
  data: Record<string, unknown> | null
  revenue: number | null
  currency: string | null
  influence_message_id: string | null
  influence_direct: boolean | null
}

export async function readEvents(ctx: Context): Promise<StoredRow[]> {
  return ctx.store.query<StoredRow>(sql`
    select e.id, u.user_id, i.id as installation_id, e.event_at, e.name, e.data, e.revenue, e.currency,
      e.influence_message_id, e.influence_direct
    from events e
    left join users u on u.app_id = e.app_id and u.user_no = e.user_no
    left join installations i on i.app_id = e.app_id and i.installation_no = e.installation_no
    where e.app_id = ${ctx.app.id} order by e.event_at, e.id`)
}

export interface CounterRow {
  owner: number
  key: string
  count: number
  first: number
  last: number
  valueCount: number
  sum: number | null
  min: number | null
  max: number | null
  lastValue: number | null
}

export async function readCounters(ctx: Context): Promise<CounterRow[]> {
  return readCounterRows(ctx, 'event_counters', 'installation_no')
}

export async function readUserCounters(ctx: Context): Promise<CounterRow[]> {
  return readCounterRows(ctx, 'user_event_counters', 'user_no')
}

async function readCounterRows(ctx: Context, table: string, owner: string): Promise<CounterRow[]> {
  const rows = await ctx.store.query<CounterRow & { first: Date; last: Date }>({
    text: `select ${owner} as owner, event_key as key, count, first_at as first, last_at as last, value_count as "valueCount",
             value_sum as sum, value_min as min, value_max as max, value_last as "lastValue"
           from ${table} where app_id = $1 order by ${owner}, event_key`,
    values: [ctx.app.id],
  } as never)
  return rows.map((row) => ({ ...row, first: Number(row.first), last: Number(row.last) }))
}
