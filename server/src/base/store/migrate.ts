import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import type { Store } from './store.ts'

const folder = join(import.meta.dirname, 'migrations')
const lockNumber = 7_394_011

/** Applies what is missing, each file in a transaction of its own: killed at any moment, the next start goes on. */
export async function migrate(store: Store, onApplied: (name: string) => void = () => {}): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8')
    const applied = await store.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${lockNumber})`)
      await tx.query(
        sql`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`,
      )
      const done = await tx.query(sql`select 1 from migrations where name = ${file}`)
      if (done.length > 0) return false
      await tx.query(raw(text))
      await tx.query(sql`insert into migrations (name) values (${file})`)
      return true
    })
    if (applied) onApplied(file)
  }
}
