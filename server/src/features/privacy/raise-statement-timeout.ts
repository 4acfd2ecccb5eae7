import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'

/** What is kept by message is looked for in all messages to groups, which takes a while where there are many. */
export async function raiseStatementTimeout(tx: Transaction): Promise<void> {
  await tx.query(sql`select set_config('statement_timeout', '5min', true)`)
}
