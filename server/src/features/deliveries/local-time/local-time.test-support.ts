import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { startScheduled } from '../../messages/schedule/start-scheduled.ts'
import { expandAudience } from '../dispatch/expand-audience.ts'

export const HOUR = 3_600_000

/** What clocks in UTC show in so many hours. */
export function clockIn(hours: number): string {
  return new Date(Date.now() + hours * HOUR).toISOString().slice(0, 19)
}

/** Says where users are, by their ids; all installations of each. */
export async function setZones(ctx: Context, zones: Record<string, string | null>): Promise<void> {
  for (const [userId, zone] of Object.entries(zones)) {
    await ctx.store.query(sql`
      update installations i set time_zone = ${zone} from users u
      where u.app_id = ${ctx.app.id} and u.user_id = ${userId} and i.app_id = u.app_id and i.user_no = u.user_no`)
  }
}

/** Starts what is due, and cuts it by the moments of its users. */
export async function startAndCut(ctx: Context): Promise<void> {
  while (await startScheduled(ctx));
  while (await expandAudience(ctx, { holder: randomUUID(), ms: 10_000 }, () => true, 'later'));
}

export interface WaitingBatch {
  userIds: string[]
  /** In how many hours it is due, and how many after that it ends. */
  inHours: number
  lives: number
  lane: string
  stream: string
}

export async function readWaiting(ctx: Context, messageId: string): Promise<WaitingBatch[]> {
  return ctx.store.query<WaitingBatch>(sql`
    select array(
        select u.user_id from unnest(b.installation_nos) as l(number)
        join installations i on i.app_id = b.app_id and i.installation_no = l.number
        join users u on u.app_id = i.app_id and u.user_no = i.user_no order by 1) as "userIds",
      round(extract(epoch from available_at - peyk_now()) / 3600, 1)::float8 as "inHours",
      round(extract(epoch from expires_at - available_at) / 3600, 1)::float8 as lives, lane, stream
    from delivery_batches b where app_id = ${ctx.app.id} and message_id = ${messageId} order by available_at, stream`)
}

/** As if so many hours had passed for all that waits. */
export async function passHours(ctx: Context, hours: number): Promise<void> {
  const past = sql`${hours}::float8 * interval '1 hour'`
  const { id } = ctx.app
  await ctx.store.query(sql`
    update delivery_batches set available_at = available_at - ${past}, expires_at = expires_at - ${past} where app_id = ${id}`)
  await ctx.store.query(sql`update deliveries set expires_at = expires_at - ${past} where app_id = ${id}`)
  await ctx.store.query(sql`
    update messages set expires_at = expires_at - ${past}, paused_at = paused_at - ${past} where app_id = ${id}`)
  // In two steps, so that an end never meets another one of its message on the way.
  await ctx.store.query(sql`update message_ends set ends_at = ends_at - interval '100 years' where app_id = ${id}`)
  await ctx.store.query(sql`
    update message_ends set ends_at = ends_at + interval '100 years' - ${past} where app_id = ${id}`)
  await ctx.store.query(sql`
    update sms_fallbacks set due_at = due_at - ${past}, expires_at = expires_at - ${past} where app_id = ${id}`)
}
