import type { Store } from '#base/store/store.ts'
import type { HeldBatch } from '../dispatch/held-batch.ts'
import type { RecipientRow } from '../dispatch/read-recipients.ts'
import { type Assigned, assignUsers } from './assign-users.ts'

/** Notes with batches of messages that are tests what each installation is given. Nothing is asked for other messages. */
export async function assignBatches(
  store: Store,
  batches: readonly HeldBatch[],
  recipients: readonly RecipientRow[][],
  at: Date,
): Promise<void> {
  const places = [...batches.entries()].filter(([, { message }]) => message.test && message.standing === 'running')
  for (const own of Map.groupBy(places, ([, { message }]) => message.id).values()) {
    const { appId, id, trackId, test } = (own[0] as [number, HeldBatch])[1].message
    if (!test) continue
    const userIds = own.flatMap(([index]) => addressed(recipients[index]).map((row) => row.user_id))
    const assigned = await assignUsers(store, { appId, id, trackId, test }, userIds, at)
    for (const [index, batch] of own) {
      batch.variants = new Map(
        addressed(recipients[index]).map((row) => [row.installation_no, assigned.get(row.user_id) as Assigned]),
      )
    }
  }
}

function addressed(rows: readonly RecipientRow[] = []): RecipientRow[] {
  return rows.filter((row) => row.is_addressed)
}

/** The variant of an installation, where it has one of the message’s. */
export function variantOf({ variants }: Pick<HeldBatch, 'variants'>, installationNo: number): string | undefined {
  const assigned = variants?.get(installationNo)
  return assigned && 'variant' in assigned ? assigned.variant : undefined
}
