import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { checkOwnUser, type UserClaim } from '../users/check-own-user.ts'

export async function listTagsOfUser(ctx: Context, input: UserClaim): Promise<string[]> {
  await checkOwnUser(ctx, input)
  const rows = await db(ctx).query<{ tag: string }>(
    sql`select t.tag
        from users u join user_tags t using (app_id, user_no)
        where u.app_id = ${ctx.app.id} and u.user_id = ${input.userId}
        order by t.tag`,
    'list-tags-of-user',
  )
  return rows.map((row) => row.tag)
}
