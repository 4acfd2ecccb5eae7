import sql from 'sql-template-tag'
import { isUuid } from '#base/ids.ts'
import type { Transaction } from '#base/store/store.ts'

/** Locks the saved segment that a send names until the send is stored. */
export async function lockSegment(
  tx: Transaction,
  { appId, target }: { appId: number; target: unknown },
): Promise<void> {
  if (typeof target !== 'string') return
  const id = isUuid(target) ? target.toLowerCase() : null
  await tx.query(sql`
    select 1 from segments where app_id = ${appId} and (segment_id = ${id}::uuid or name = ${target}) for share`)
}
