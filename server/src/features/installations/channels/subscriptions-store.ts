import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { StoredSubscriptions } from './apply-subscription-changes.ts'

export async function lockSubscriptions(
  tx: Transaction,
  keys: readonly { appId: number; installationNo: number }[],
): Promise<StoredSubscriptions[]> {
  return tx.query<StoredSubscriptions>(
    sql`select i.app_id as "appId", i.installation_no as "installationNo", i.subscriptions as channels, d.event_topics as events
        from (select distinct app_id, installation_no
              from ${unnestRows(keys, 'v', {
                app_id: ['int', ({ appId }) => appId],
                installation_no: ['bigint', ({ installationNo }) => installationNo],
              })}) k
        join installations i using (app_id, installation_no)
        join installation_details d using (app_id, installation_no)
        order by i.app_id, i.installation_no
        for no key update of i`,
    'lock-subscriptions',
  )
}

/** For installations that are locked. */
export async function updateSubscriptions(tx: Transaction, changed: readonly StoredSubscriptions[]): Promise<void> {
  if (changed.length === 0) return
  const keys = sql`${unnestRows(changed, 'k', {
    app_id: ['int', ({ appId }) => appId],
    installation_no: ['bigint', ({ installationNo }) => installationNo],
    channels: ['jsonb', ({ channels }) => JSON.stringify(channels)],
    events: ['jsonb', ({ events }) => JSON.stringify(events)],
  })}`
  await tx.query(
    sql`update installations i set subscriptions = array(select jsonb_array_elements_text(k.channels))
        from ${keys} where i.app_id = k.app_id and i.installation_no = k.installation_no`,
    'update-subscriptions',
  )
  await tx.query(
    sql`update installation_details d set event_topics = array(select jsonb_array_elements_text(k.events)), updated_at = peyk_now()
        from ${keys} where d.app_id = k.app_id and d.installation_no = k.installation_no`,
    'update-event-topics',
  )
}
