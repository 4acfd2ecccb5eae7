import sql from 'sql-template-tag'
import { listMigrations } from '../migrate.ts'
import type { Database } from '../store.ts'

export interface MigrationState {
  /** Nothing of ours is in the database. */
  isEmpty: boolean
  /** Of this version, and not applied. */
  missing: string[]
  /** Applied by a later version. */
  unknown: string[]
}

export async function compareMigrations(database: Database): Promise<MigrationState> {
  const known = await listMigrations()
  const [table] = await database.query<{ is_there: boolean }>(
    sql`select to_regclass('migrations') is not null as is_there`,
  )
  if (!table?.is_there) return { isEmpty: true, missing: known, unknown: [] }
  const rows = await database.query<{ name: string }>(sql`select name from migrations order by name`)
  const applied = new Set(rows.map(({ name }) => name))
  return {
    isEmpty: false,
    missing: known.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !known.includes(name)),
  }
}
