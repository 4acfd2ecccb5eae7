import sql from 'sql-template-tag'
import { type Context, db } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'

export interface AppLook {
  name: string
  notificationText: string | undefined
  icon: string | undefined
}

/** What the app says of itself where a message says nothing [choice 22]. */
export async function getAppLook(ctx: Pick<Context, 'app' | 'store' | 'tx'>): Promise<AppLook> {
  const [row] = await db(ctx).query<{ name: string; notification_text: string | null; icon: string | null }>(
    sql`select name, settings->>'notificationText' as notification_text, settings->>'icon' as icon
        from apps where app_id = ${ctx.app.id}`,
    'get-app-look',
  )
  if (!row) throw new RequestError('not-found', `There is no app "${ctx.app.label}".`)
  return { name: row.name, notificationText: row.notification_text ?? undefined, icon: row.icon ?? undefined }
}
