import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../../base/store/store.ts'
import { type CompileScope, compileCondition, type EitherForm, installedBy } from './compile-condition.ts'
import type { Condition, FittedRule } from './condition.ts'

/** Above this share of what the other rules cost, looking alternatives up is dearer than going through everybody. */
const worthwhileCost = 1.5

/**
 * PostgreSQL plans `or` over other tables only one way: it goes through all installations. Where there are such
 * alternatives its planner is asked what looking them up would cost, which for a few installations is far less.
 */
export async function compileCheapest(
  database: Database,
  conditions: Condition<FittedRule>[],
  scope: CompileScope,
  at: Date,
): Promise<Sql> {
  const compile = (form: EitherForm) =>
    sql`${installedBy(scope.appId, at)} and ${compileCondition({ all: conditions }, scope, form)}`
  const plain = compile('or')
  const withoutEither = compile('left-out')
  if (withoutEither.text === plain.text) return plain
  const united = compile('union')
  const cost = await estimateCost(database, united)
  return cost < worthwhileCost * (await estimateCost(database, withoutEither)) ? united : plain
}

async function estimateCost(database: Database, condition: Sql): Promise<number> {
  const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: { 'Total Cost': number } }] }>(
    sql`explain (format json) select count(*) from installations i where ${condition}`,
  )
  return row?.['QUERY PLAN'][0].Plan['Total Cost'] as number
}
