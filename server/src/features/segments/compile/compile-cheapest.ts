import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import type { Condition, FittedRule } from '../condition.ts'
import { type CompileScope, compileCondition, type EitherForm, installed } from './compile-condition.ts'

/**
 * The conditions as SQL over `installations i`. PostgreSQL does not turn one way of writing alternatives into another,
 * though one can cost a tenth of the other: where there are any, its planner is asked which it takes for the cheapest.
 */
export async function compileCheapest(
  database: Database,
  conditions: Condition<FittedRule>[],
  scope: CompileScope,
  createdBy?: Date,
): Promise<Sql> {
  const compile = (form: EitherForm) =>
    sql`${installed(scope.appId, createdBy)} and ${compileCondition({ all: conditions }, scope, form)}`
  let cheapest = compile('exists')
  const others = [compile('in'), compile('union')].filter((other) => other.text !== cheapest.text)
  if (others.length === 0) return cheapest
  let lowest = await estimateCost(database, cheapest)
  for (const other of others) {
    const cost = await estimateCost(database, other)
    if (cost < lowest) [cheapest, lowest] = [other, cost]
  }
  return cheapest
}

async function estimateCost(database: Database, condition: Sql): Promise<number> {
  const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: { 'Total Cost': number } }] }>(
    sql`explain (format json) select count(*) from installations i where ${condition}`,
  )
  return row?.['QUERY PLAN'][0].Plan['Total Cost'] as number
}
