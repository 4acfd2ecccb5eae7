import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'

/** Uploads to one set take turns from here on, so that each finds the set it replaces or adds to. */
export async function lockUploads(tx: Transaction, appId: number, trackId: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`promo-set ${appId} ${trackId}`}, 0))`)
}
