import type { Transaction } from '#base/store/store.ts'
import { findScheduled, listOccurrences, markApproved } from '../schedule/schedule-store.ts'
import type { ScheduledMessage } from '../schedule/scheduled-message.ts'
import { lockSeries, updateSeries } from '../series/series-store.ts'
import { hashScheduled, hashSeries } from './hash-outgoing.ts'

type Key = { appId: number; id: string }

/** Stores with a scheduled message what was approved, so that nothing else starts under that approval. */
export async function sealScheduled(tx: Transaction, key: Key): Promise<void> {
  const message = await findScheduled(tx, { ...key, isLocked: true })
  if (message) await sealAll(tx, [message])
}

/** The same for a series and its occurrences so far. Later ones are sealed when they are created. */
export async function sealSeries(tx: Transaction, key: Key): Promise<void> {
  const series = await lockSeries(tx, key)
  if (!series) return
  await updateSeries(tx, { ...series, approvedAs: hashSeries(series) })
  await sealAll(tx, await listOccurrences(tx, key))
}

/** Used when deleted users are removed from what was approved, which needs no new approval. */
export async function sealAgain(tx: Transaction, { appId, ids }: { appId: number; ids: readonly string[] }) {
  for (const id of ids) await sealScheduled(tx, { appId, id })
}

async function sealAll(tx: Transaction, messages: readonly ScheduledMessage[]): Promise<void> {
  await markApproved(
    tx,
    messages.map((message) => ({ ...message, approvedAs: hashScheduled(message) })),
  )
}
