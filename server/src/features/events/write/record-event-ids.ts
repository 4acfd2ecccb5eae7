import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

export interface ClientEventKey {
  appId: number
  installationNo: number
  eventId: string
}

/** For each key in order, whether it is new: not stored by an earlier request, nor earlier in this list. */
export async function recordEventIds(tx: Transaction, keys: readonly ClientEventKey[], at: Date): Promise<boolean[]> {
  const made = await tx.query<ClientEventKey>(
    sql`insert into event_ids (app_id, installation_no, event_id, received_at)
        select app_id, installation_no, event_id, ${at}
        from ${unnestRows(keys, 'k', {
          app_id: ['int', (key) => key.appId],
          installation_no: ['bigint', (key) => key.installationNo],
          event_id: ['text', (key) => key.eventId],
        })}
        order by app_id, installation_no, event_id collate "C"
        on conflict do nothing
        returning app_id as "appId", installation_no as "installationNo", event_id as "eventId"`,
    'record-event-ids',
  )
  const news = new Set(made.map(keyText))
  return keys.map((key) => news.delete(keyText(key)))
}

function keyText({ appId, installationNo, eventId }: ClientEventKey): string {
  return `${appId}/${installationNo}/${eventId}`
}
