import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

export interface UserSending {
  /** Users may send messages to each other. */
  toUsers: boolean
  /** They may send to everybody on a public channel too. */
  toPublicChannels: boolean
}

/** To whom users of the app may send messages: to nobody unless it was switched on. */
export async function mayUsersSend(ctx: Pick<Context, 'app' | 'store' | 'tx'>): Promise<UserSending> {
  const [row] = await db(ctx).query<{ to_users: boolean; to_public: boolean }>(
    sql`select coalesce(settings->'allowUserMessages' = 'true', false) as to_users,
          coalesce(settings->'allowPublicUserMessages' = 'true', false) as to_public
        from apps where app_id = ${ctx.app.id}`,
    'may-users-send',
  )
  return { toUsers: row?.to_users ?? false, toPublicChannels: row?.to_public ?? false }
}
