import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { Database } from '#base/store/store.ts'

export interface KnownUser {
  /** Null for somebody who only was written to. */
  user_no: number | null
  is_guest: boolean | null
  created_at: Date | null
}

/** A user is known by having done something, or by being addressed by a message. */
export async function getUser(database: Database, ctx: Context, userId: string): Promise<KnownUser> {
  const [user] = userId.includes('\0') ? [] : await findUser(database, ctx.app.id, userId)
  if (!user) throw new RequestError('not-found', `There is no user "${userId.slice(0, 80)}".`)
  return user
}

function findUser(database: Database, appId: number, userId: string): Promise<KnownUser[]> {
  return database.query<KnownUser>(sql`
    select u.user_no, u.is_guest, u.created_at
    from (select ${appId}::int as app_id, ${userId}::text as user_id) k left join users u using (app_id, user_id)
    where u.user_no is not null
       or exists (select from message_users m where m.app_id = k.app_id and m.user_id = k.user_id)
       or exists (select from scheduled_messages m where m.app_id = k.app_id and m.user_ids @> array[k.user_id])
       or exists (select from series s where s.app_id = k.app_id and s.user_ids @> array[k.user_id])
       or exists (select from send_approvals a where a.app_id = k.app_id and a.user_ids @> array[k.user_id])`)
}
