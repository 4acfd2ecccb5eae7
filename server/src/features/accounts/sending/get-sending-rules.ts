import type { Cap, QuietHours } from '@peyk/contract'
import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

/** What holds for an app's messages with a category. */
export interface SendingRules {
  /** An IANA name: the clock of users whose own is not known. */
  zone: string
  quietHours: QuietHours | undefined
  caps: Cap[]
  /** In percent. */
  controlGroup: number
}

interface Row {
  zone: string | null
  quiet_hours: QuietHours | null
  caps: Cap[] | null
  control_group: number | null
}

export async function getSendingRules(database: Database, appId: number): Promise<SendingRules> {
  const [row] = await database.query<Row>(
    sql`select settings->>'zone' as zone, settings->'quietHours' as quiet_hours, settings->'caps' as caps,
          (settings->>'controlGroup')::float8 as control_group
        from apps where app_id = ${appId}`,
    'get-sending-rules',
  )
  return {
    zone: row?.zone ?? 'UTC',
    quietHours: row?.quiet_hours ?? undefined,
    caps: row?.caps ?? [],
    controlGroup: row?.control_group ?? 0,
  }
}
