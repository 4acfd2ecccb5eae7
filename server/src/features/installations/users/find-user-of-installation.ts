import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { isUuid } from '#base/ids.ts'

/** The id of whoever is logged in there; undefined when there is no such installation. */
export async function findUserOfInstallation(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  installationId: string | undefined,
): Promise<string | undefined> {
  if (!isUuid(installationId)) return undefined
  const [row] = await db(ctx).query<{ user_id: string }>(
    sql`select u.user_id from installations i join users u using (app_id, user_no)
        where i.app_id = ${ctx.app.id} and i.id = ${installationId}`,
    'find-user-of-installation',
  )
  return row?.user_id
}
