import type { Sql } from 'sql-template-tag'
import type { Store } from '#base/store/store.ts'
import { type Verdict, verifyWithin } from './verify-invariants.ts'

/** What is broken after the statement, which is rolled back. */
export async function findDamage(store: Store, statement: Sql): Promise<Verdict[]> {
  const rolledBack = new Error('rolled back')
  let verdicts: Verdict[] = []
  await store
    .transaction(async (tx) => {
      await tx.query(statement)
      verdicts = await verifyWithin(tx)
      throw rolledBack
    })
    .catch((error) => {
      if (error !== rolledBack) throw error
    })
  return verdicts.filter(({ broken }) => broken > 0)
}
