import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { DeliveryKey } from '../progress/delivery-places-store.ts'

export interface DeliveryOfVariant extends DeliveryKey {
  variant: string
  testedAt?: Date | undefined
}

/** Notes the variant of deliveries that were there before, and are locked. What was noted first stays. */
export async function recordVariants(tx: Transaction, deliveries: readonly DeliveryOfVariant[]): Promise<void> {
  if (deliveries.length === 0) return
  await tx.query(
    sql`update deliveries d set variant = k.variant, tested_at = to_timestamp(k.tested_at / 1000)
        from ${unnestRows(deliveries, 'k', {
          app_id: ['int', ({ appId }) => appId],
          message_id: ['uuid', ({ messageId }) => messageId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
          variant: ['text', ({ variant }) => variant],
          tested_at: ['float8', ({ testedAt }) => testedAt?.getTime() ?? null],
        })}
        where d.app_id = k.app_id and d.message_id = k.message_id and d.installation_no = k.installation_no
          and d.variant is null`,
    'record-variants',
  )
}
