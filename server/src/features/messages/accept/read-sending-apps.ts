import sql from 'sql-template-tag'
import type { Database } from '../../../base/store/store.ts'
import { type AppLook, type LookRow, lookColumns, readLook } from '../../accounts/apps/get-app-look.ts'
import { appsOf, newestMessage } from './assign-rising-ids.ts'
import type { Draft } from './draft-message.ts'

/** What messages need to be known of their apps, by number of the app. */
interface SendingApps {
  /** The newest message, where it is not before all of the drafts: see assign-rising-ids.ts. */
  newest: Map<number, string>
  looks: Map<number, AppLook>
}

export async function readSendingApps(db: Database, drafts: readonly Draft[]): Promise<SendingApps> {
  const rows = await db.query<LookRow & { newest_id: string | null }>(
    sql`select ${lookColumns}, newest.id as newest_id
        from ${appsOf(drafts)} join apps a on a.app_id = k.app_id left join lateral ${newestMessage} newest on true`,
    'read-sending-apps',
  )
  return {
    newest: new Map(rows.flatMap(({ app_id, newest_id }) => (newest_id === null ? [] : [[app_id, newest_id]]))),
    looks: new Map(rows.map((row) => [row.app_id, readLook(row)])),
  }
}
