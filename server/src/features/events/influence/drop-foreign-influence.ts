import type { Transaction } from '#base/store/store.ts'
import type { EventRow } from '../write/write-events.ts'
import { findAddressed } from './find-addressed.ts'

/**
 * [sending.md#receipts] An event counts for a message only where that message was sent. Elsewhere it is stored without
 * one.
 */
export async function dropForeignInfluence(tx: Transaction, rows: readonly EventRow[]): Promise<void> {
  const influenced = rows.filter(({ draft }) => draft.influence !== null)
  if (influenced.length === 0) return
  const keys = influenced.map(({ draft, installationNo }) => ({
    appId: draft.appId,
    messageId: draft.influence?.messageId as string,
    installationNo: installationNo ?? 0,
  }))
  const isAddressed = await findAddressed(tx, keys)
  for (const [index, { draft }] of influenced.entries()) if (!isAddressed[index]) draft.influence = null
}
