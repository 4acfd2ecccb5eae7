import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { compileCheapest } from '../compile/compile-cheapest.ts'
import { type CompileScope, compileCondition } from '../compile/compile-condition.ts'
import type { Condition, FittedRule } from '../condition.ts'

export interface StepCounts {
  /** How many installations are left after each condition. */
  left: number[]
  users: number
}

/**
 * One statement, so that all counts are of one moment. The first condition chooses the installations; for each of them
 * the number of conditions that it passes in turn is found, then those numbers are counted.
 */
export async function countSteps(
  database: Database,
  conditions: Condition<FittedRule>[],
  scope: CompileScope,
): Promise<StepCounts> {
  const chosen = await compileCheapest(database, conditions.slice(0, 1), scope)
  const later = conditions.slice(1).map((condition) => compileCondition(condition, scope))
  const counts = conditions.map((_, index) => sql`count(*) filter (where passed > ${whole(index)})`)
  const [row] = await database.query<{ left: number[]; users: number }>(
    sql`select array[${join(counts.length === 0 ? [raw('count(*)')] : counts)}]::float8[] as "left",
          count(distinct user_no) filter (where passed >= ${whole(conditions.length)}) as users
        from (select i.user_no, ${countPassed(later)} as passed from installations i where ${chosen} offset 0) as s`,
  )
  return row as StepCounts
}

function countPassed(later: Sql[]): Sql {
  if (later.length === 0) return raw('1')
  const failures = later.map((condition, index) => sql`when ${condition} is not true then ${whole(index + 1)}`)
  return sql`case ${join(failures, ' ')} else ${whole(later.length + 1)} end`
}

function whole(number: number): Sql {
  return raw(String(number))
}
