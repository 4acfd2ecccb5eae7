import sql, { type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { Database } from '#base/store/store.ts'

export interface AppLook {
  label: string
  name: string
  notificationText: string | undefined
  icon: string | undefined
}

/** What the app says of itself where a message says nothing [sending.md#texts]. */
export async function getAppLook(ctx: Pick<Context, 'app' | 'store' | 'tx'>): Promise<AppLook> {
  const look = (await readAppLooks(db(ctx), [ctx.app.id])).get(ctx.app.id)
  if (!look) throw new RequestError('not-found', `There is no app "${ctx.app.label}".`)
  return look
}

/** By number of the app. */
export async function readAppLooks(database: Database, appIds: readonly number[]): Promise<Map<number, AppLook>> {
  const rows = await database.query<LookRow>(
    sql`select ${lookColumns} from apps a where a.app_id = any(${[...new Set(appIds)]}::int[])`,
    'read-app-looks',
  )
  return new Map(rows.map((row) => [row.app_id, readLook(row)]))
}

export interface LookRow {
  app_id: number
  label: string
  name: string
  notification_text: string | null
  icon: string | null
}

/** Of the app `a`. */
export const lookColumns: Sql = sql`a.app_id, a.label, a.name, a.settings->>'notificationText' as notification_text,
  a.settings->>'icon' as icon`

export function readLook({ label, name, notification_text, icon }: LookRow): AppLook {
  return { label, name, notificationText: notification_text ?? undefined, icon: icon ?? undefined }
}
