import { setTimeout as delay } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import type { Transaction } from './store.ts'

const attempts = 5
const pauseMs = 200

/**
 * Locks tables for a change of their shape, all of them or none. Who waits for such a lock makes everybody wait behind
 * him, so each attempt is given up after a moment, and what was locked is let go in between. Throws PostgreSQL's 55P03
 * when readers leave no gap.
 */
export async function lockTables(tx: Transaction, tables: readonly string[]): Promise<void> {
  await tx.query(sql`set local lock_timeout = '100ms'`)
  const all = tables.map((table) => `only ${table}`).join(', ')
  for (let attempt = 1; ; attempt++) {
    await tx.query(sql`savepoint before_lock`)
    try {
      await tx.query(raw(`lock table ${all} in access exclusive mode`))
      await tx.query(sql`release savepoint before_lock`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03' || attempt === attempts) throw error
      await tx.query(sql`rollback to savepoint before_lock`)
      await delay(pauseMs)
    }
  }
}
