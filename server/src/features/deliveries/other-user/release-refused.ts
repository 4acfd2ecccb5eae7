import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { DeliveryKey } from '../progress/delivery-places-store.ts'
import { decidedFor, decidedForGuest } from './decided-for.ts'

/**
 * In the transaction that refuses deliveries because somebody else has the installation: their users are not in the test
 * of the message, and codes that were taken for them are to go back, see return-refused-codes.ts.
 */
export async function releaseRefused(tx: Transaction, refused: readonly DeliveryKey[]): Promise<void> {
  if (refused.length === 0) return
  await tx.query(
    sql`with k as materialized (
          select * from ${unnestRows(refused, 'k', {
            app_id: ['int', ({ appId }) => appId],
            message_id: ['uuid', ({ messageId }) => messageId],
            installation_no: ['bigint', ({ installationNo }) => installationNo],
          })}
        ), untested as (
          update deliveries d set variant = null, tested_at = null from k
          where d.app_id = k.app_id and d.message_id = k.message_id and d.installation_no = k.installation_no
            and d.variant is not null
        )
        insert into promo_refused (app_id, message_id, user_no)
        select distinct g.app_id, g.message_id, g.user_no
        from k
        cross join lateral (select * from messages where app_id = k.app_id and id = k.message_id offset 0) m
        join installations i on i.app_id = k.app_id and i.installation_no = k.installation_no
        join promo_given g on g.app_id = k.app_id and g.message_id = k.message_id 
          and g.user_no in (${decidedFor}, ${decidedForGuest})
        order by g.app_id, g.message_id, g.user_no
        on conflict do nothing`,
    'release-refused',
  )
}
