import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import type { Store, Transaction } from './store.ts'
import { withPatience } from './with-patience.ts'

const folder = join(import.meta.dirname, 'migrations')
const lockNumber = 7_394_011

/** Applies what is missing, each file in a transaction of its own: killed at any moment, the next start goes on. */
export async function migrate(store: Store, onApplied: (name: string) => void = () => {}): Promise<void> {
  for (const file of await listMigrations()) if (await applyWithPatience(store, file)) onApplied(file)
}

/** The names of all migrations, in their order. */
export async function listMigrations(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

/** Whoever reads a table for long makes a change of its shape wait, and everybody behind it: so it lets them pass and tries again. */
function applyWithPatience(store: Store, file: string): Promise<boolean> {
  return withPatience(() => store.transaction((tx) => applyMigration(tx, file)), { troubles: ['store-busy'] })
}

/** Until the transaction ends, nobody else migrates. False when it was applied before. */
export async function applyMigration(tx: Transaction, file: string): Promise<boolean> {
  const text = await readFile(join(folder, file), 'utf8')
  await tx.query(sql`set local statement_timeout = 0`)
  await tx.query(sql`set local lock_timeout = 0`)
  await tx.query(sql`select pg_advisory_xact_lock(${lockNumber})`)
  await tx.query(
    sql`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`,
  )
  const done = await tx.query(sql`select 1 from migrations where name = ${file}`)
  if (done.length > 0) return false
  await tx.query(sql`set local lock_timeout = '1s'`)
  await tx.query(raw(text))
  await tx.query(sql`insert into migrations (name) values (${file})`)
  return true
}
