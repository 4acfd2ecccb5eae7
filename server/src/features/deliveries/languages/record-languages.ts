import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { DeliveryKey } from '../progress/delivery-places-store.ts'

export interface DeliveryInLanguage extends DeliveryKey {
  language: string
}

/**
 * Notes the language of deliveries that were there before they were handed over: the device was quicker to report. They
 * are locked. Answers those that had none.
 */
export async function recordLanguages(
  tx: Transaction,
  deliveries: readonly DeliveryInLanguage[],
): Promise<DeliveryInLanguage[]> {
  if (deliveries.length === 0) return []
  const rows = await tx.query<{ position: number }>(
    sql`update deliveries d set language = k.language
        from ${unnestRows(
          deliveries,
          'k',
          {
            app_id: ['int', ({ appId }) => appId],
            message_id: ['uuid', ({ messageId }) => messageId],
            installation_no: ['bigint', ({ installationNo }) => installationNo],
            language: ['text', ({ language }) => language],
          },
          { position: 'position' },
        )}
        where d.app_id = k.app_id and d.message_id = k.message_id and d.installation_no = k.installation_no
          and d.language is null
        returning k.position::int as position`,
    'record-languages',
  )
  return rows.map(({ position }) => deliveries[position - 1] as DeliveryInLanguage)
}
