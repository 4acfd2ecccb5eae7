import sql from 'sql-template-tag'
import type { Store } from '../store.ts'

/** Makes a table and takes it back. Answers what PostgreSQL says when it refuses. */
export async function tryWriting(store: Store): Promise<string | undefined> {
  const isTakenBack = new Error('taken back')
  try {
    return await store.transaction(async (tx) => {
      await tx.query(sql`create table peyk_doctor_trial as select 1 as one`)
      throw isTakenBack
    })
  } catch (error) {
    return error === isTakenBack ? undefined : (error as Error).message
  }
}
