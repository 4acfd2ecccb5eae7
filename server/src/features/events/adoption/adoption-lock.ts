import sql from 'sql-template-tag'
import type { Store, Transaction } from '#base/store/store.ts'

/**
 * First part of an advisory lock whose second part is the app. Who stores an event that stays with its user alone holds
 * it shared until his commit, and looks again, once he has it, whether the user has an installation after all.
 */
export const adoptionLock = 7394013

/**
 * Waits until those writers of events have committed who may not have seen what is committed now, such as a login.
 * Writers that come later see it. The lock is let go at once: nobody waits longer than the writers under way take.
 */
export async function waitForEventWriters(store: Store, appIds: readonly number[]): Promise<void> {
  for (const appId of appIds) await store.query(sql`select pg_advisory_xact_lock(${adoptionLock}, ${appId})`)
}

/** From here to the end of the transaction nobody else stores an event of this app that stays with its user alone. */
export async function keepEventWritersOut(tx: Transaction, appId: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${adoptionLock}, ${appId})`, 'keep-event-writers-out')
}
