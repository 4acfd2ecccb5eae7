import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { type AppLook, type LookRow, lookColumns, readLook } from '../../accounts/apps/get-app-look.ts'
import { anHourAfter, appsOf, lowestIds, newestMessage } from './assign-rising-ids.ts'
import type { Draft } from './draft-message.ts'

/** What messages need to be known of their apps, by number of the app. */
interface SendingApps {
  /** The newest message, where it is not before all of the drafts: see assign-rising-ids.ts. */
  newest: Map<number, string>
  looks: Map<number, AppLook>
}

export async function readSendingApps(db: Database, drafts: readonly Draft[]): Promise<SendingApps> {
  const lowest = lowestIds(drafts)
  const [first] = lowest
  const rows = first && lowest.size === 1 ? await readOne(db, ...first) : await readMany(db, lowest)
  return {
    newest: new Map(rows.flatMap(({ app_id, newest_id }) => (newest_id === null ? [] : [[app_id, newest_id]]))),
    looks: new Map(rows.map((row) => [row.app_id, readLook(row)])),
  }
}

type Row = LookRow & { newest_id: string | null }

function readMany(db: Database, lowest: ReadonlyMap<number, string>): Promise<Row[]> {
  return db.query<Row>(
    sql`select ${lookColumns}, newest.id as newest_id
        from ${appsOf(lowest)} join apps a on a.app_id = k.app_id left join lateral ${newestMessage} newest on true`,
    'read-sending-apps',
  )
}

/** Almost always. Without an array PostgreSQL keeps its plan: making one takes ten times as long as following it. */
function readOne(db: Database, appId: number, lowest: string): Promise<Row[]> {
  return db.query<Row>(
    sql`select ${lookColumns}, (
          select id from messages where app_id = ${appId} and id >= ${lowest}::uuid and id < ${anHourAfter(lowest)}::uuid order by id desc limit 1
        ) as newest_id
        from apps a where a.app_id = ${appId}`,
    'read-sending-app',
  )
}
