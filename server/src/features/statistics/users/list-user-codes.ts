import type { UserCodes } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { getUser } from './get-user.ts'

const most = 200

/** Promo codes that a user was given, the newest first. */
export async function listUserCodes(ctx: Context, { userId }: { userId: string }): Promise<UserCodes> {
  const { user_no } = await getUser(db(ctx), ctx, userId)
  const rows = await db(ctx).query<{ code: string; message_id: string; given_at: Date; track_id: string | null }>(sql`
    select g.code, g.message_id, g.given_at, nullif(s.track_id, '') as track_id
    from promo_given g left join promo_sets s on s.app_id = g.app_id and s.set_no = g.set_no
    where g.app_id = ${ctx.app.id} and g.user_no = ${user_no} order by g.given_at desc, g.code limit ${most}`)
  return {
    data: rows.map((row) => ({
      code: row.code,
      messageId: row.message_id,
      givenAt: row.given_at.getTime(),
      ...(row.track_id !== null && { trackId: row.track_id }),
    })),
  }
}
