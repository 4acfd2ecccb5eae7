import sql from 'sql-template-tag'
import type { Context } from '../../base/context.ts'
import { timeOrderedId } from '../../base/ids.ts'

/** A message to these users, or to everybody. */
export async function addMessage(ctx: Context, userIds?: string[], at = ctx.now()): Promise<string> {
  const id = timeOrderedId(at)
  await ctx.store.query(sql`
    insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, body)
    values (${ctx.app.id}, ${id}, ${at}, ${new Date(Number(at) + 30 * 86_400_000)}, 1, 'message',
      ${userIds ? 'users' : 'query'}, 'default', '{}')`)
  await ctx.store.query(sql`
    insert into message_users (app_id, message_id, user_id)
    select ${ctx.app.id}, ${id}, user_id from unnest(${userIds ?? []}::text[]) as u(user_id)`)
  return id
}

export async function readReceipts(ctx: Context) {
  return ctx.store.query<{ message_id: string; kind: string; action_id: string; happened_at: Date }>(sql`
    select message_id, kind, action_id, happened_at from receipts
    where app_id = ${ctx.app.id} order by message_id, happened_at, kind, action_id`)
}

export async function readStates(ctx: Context): Promise<string[]> {
  const rows = await ctx.store.query<{ state: string }>(sql`
    select state from deliveries where app_id = ${ctx.app.id} order by message_id, installation_no`)
  return rows.map((row) => row.state)
}
