import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { DeliveryKey } from '../progress/delivery-places-store.ts'

export interface LanguageAsk extends DeliveryKey {
  /** It may have been handed over before. */
  isAgain: boolean
}

/**
 * The language of each installation, or the one in which the message was handed over to it before: that one stays. To be
 * asked for messages that have several languages. `offset 0` keeps PostgreSQL to one index lookup each.
 */
export async function readLanguages(
  database: Database,
  keys: readonly LanguageAsk[],
): Promise<(messageId: string, installationNo: number) => string | null> {
  if (keys.length === 0) return () => null
  const rows = await database.query<{ message_id: string; installation_no: number; language: string | null }>(
    sql`select k.message_id, k.installation_no, coalesce(d.language, i.language) as language
        from ${unnestRows(keys, 'k', {
          app_id: ['int', ({ appId }) => appId],
          message_id: ['uuid', ({ messageId }) => messageId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
          is_again: ['boolean', ({ isAgain }) => isAgain],
        })}
        cross join lateral (
          select language from installations where app_id = k.app_id and installation_no = k.installation_no offset 0
        ) i
        left join lateral (
          select language from deliveries
          where k.is_again and app_id = k.app_id and message_id = k.message_id and installation_no = k.installation_no offset 0
        ) d on true`,
    'read-languages',
  )
  const known = new Map(
    rows.map(({ message_id, installation_no, language }) => [`${message_id}/${installation_no}`, language]),
  )
  return (messageId, installationNo) => known.get(`${messageId}/${installationNo}`) ?? null
}
