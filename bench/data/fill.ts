import type { PostgresConnection } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import { raw } from 'sql-template-tag'
import { withDatabase } from '../measure/cluster.ts'

/** Runs statements that may take longer than those of the service are allowed to. */
export function fill(connection: PostgresConnection, statements: string[]): Promise<void> {
  return withDatabase(connection, async (store) => {
    await store.query(raw(`set statement_timeout = 0; set work_mem = '256MB'`))
    for (const statement of statements) await store.query(raw(statement))
  })
}
