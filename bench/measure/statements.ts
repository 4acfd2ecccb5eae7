import type { Store } from '@peyk/server/base/store/store.ts'
import sql from 'sql-template-tag'
import { printTable } from './table.ts'

/** For `startCluster`: PostgreSQL keeps count of statements, which costs it a little. */
export const statementSettings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
}

interface Statement {
  text: string
  calls: number
  rows: number
  ms: number
  plan_ms: number
  wal_bytes: number
}

/** What PostgreSQL did in a database while something was measured, statement by statement. */
export class StatementCounts {
  private readonly store: Store
  private counted: Statement[] = []
  private units = 0

  constructor(store: Store) {
    this.store = store
  }

  async during<Measured>(work: () => Promise<Measured>, unitsOf: (measured: Measured) => number): Promise<Measured> {
    await this.store.query(sql`create extension if not exists pg_stat_statements`)
    await this.store.query(sql`select pg_stat_statements_reset()`)
    const measured = await work()
    this.counted = await this.store.query<Statement>(sql`
      select query as text, calls, rows, total_exec_time + total_plan_time as ms, total_plan_time as plan_ms, wal_bytes from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database()) and query not like '%pg_stat_statements%'
      order by ms desc`)
    this.units = unitsOf(measured)
    return measured
  }

  /** Times are those of a clock: they contain what a statement waited, for the disk and for the processor. */
  print(unit: string): void {
    const all = this.counted.reduce((sum, { ms }) => sum + ms, 0)
    const rows = this.counted
      .filter(({ ms }) => ms > all / 500)
      .map(({ text, calls, rows, ms, plan_ms, wal_bytes }) => [
        text.replaceAll(/\s+/g, ' ').trim().slice(0, 90),
        calls,
        rows / this.units,
        (1_000 * ms) / calls,
        (1_000 * plan_ms) / calls,
        (1_000 * ms) / this.units,
        wal_bytes / this.units,
      ])
    const header = ['statement', 'calls', `rows/${unit}`, 'µs/call', 'planning', `µs/${unit}`, `WAL bytes/${unit}`]
    printTable(`What PostgreSQL did for ${Math.round(this.units)} of them`, header, rows)
  }
}
