import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { DeliveryKey } from '../progress/delivery-places-store.ts'

/** Which variants were handed over. To be asked for messages that have some. */
export async function readVariants(
  database: Database,
  keys: readonly DeliveryKey[],
): Promise<(messageId: string, installationNo: number) => string | undefined> {
  const rows = await database.query<{ message_id: string; installation_no: number; variant: string | null }>(
    sql`select d.message_id, d.installation_no, d.variant
        from ${unnestRows(keys, 'k', {
          app_id: ['int', ({ appId }) => appId],
          message_id: ['uuid', ({ messageId }) => messageId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
        })}
        cross join lateral (
          select message_id, installation_no, variant from deliveries
          where app_id = k.app_id and message_id = k.message_id and installation_no = k.installation_no offset 0
        ) d`,
    'read-variants',
  )
  const known = new Map(
    rows.map(({ message_id, installation_no, variant }) => [`${message_id}/${installation_no}`, variant]),
  )
  return (messageId, installationNo) => known.get(`${messageId}/${installationNo}`) ?? undefined
}
