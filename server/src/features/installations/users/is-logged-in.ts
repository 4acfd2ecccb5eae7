import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** Whether the installation is logged in as this user at this moment: not a guest's, and nobody else's by now. */
export async function isLoggedIn(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  input: { installationId: string; userId: string },
): Promise<boolean> {
  const [row] = await db(ctx).query<{ is_logged_in: boolean }>(
    sql`select not i.is_guest and u.user_id = ${input.userId} as is_logged_in
        from installations i join users u using (app_id, user_no)
        where i.app_id = ${ctx.app.id} and i.id = ${input.installationId}`,
    'is-logged-in',
  )
  return row?.is_logged_in ?? false
}
