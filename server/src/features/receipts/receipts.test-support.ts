import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { timeOrderedId } from '#base/ids.ts'

/** A message to these users, or to everybody, that is being sent to those of their installations which there are now. */
export async function addMessage(ctx: Context, userIds?: string[], at = ctx.now()): Promise<string> {
  const id = timeOrderedId(at)
  await ctx.store.query(sql`
    insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, body)
    values (${ctx.app.id}, ${id}, ${at}, ${new Date(Number(at) + 30 * 86_400_000)}, 1, 'message',
      ${userIds ? 'users' : 'query'}, 'default', '{}')`)
  await ctx.store.query(sql`
    insert into message_users (app_id, message_id, user_id)
    select ${ctx.app.id}, ${id}, user_id from unnest(${userIds ?? []}::text[]) as u(user_id)`)
  await ctx.store.query(sql`
    insert into delivery_batches (app_id, message_id, lane, attempts, installation_nos)
    select ${ctx.app.id}, ${id}, ${userIds ? 'personal' : 'group'}, 1, array_agg(i.installation_no)
    from installations i join users u using (app_id, user_no)
    where i.app_id = ${ctx.app.id} and (${userIds ?? null}::text[] is null or u.user_id = any(${userIds ?? null}::text[]))`)
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
