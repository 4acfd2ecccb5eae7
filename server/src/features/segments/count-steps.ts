import sql, { join, type Sql } from 'sql-template-tag'
import type { Database } from '../../base/store/store.ts'
import { type CompileScope, compileCondition, installedBy } from './compile-condition.ts'
import type { Condition, FittedRule } from './condition.ts'

/** How many installations are left before the first condition, after it, and so on: one statement, one snapshot. */
export async function countSteps(
  database: Database,
  conditions: Condition<FittedRule>[],
  scope: CompileScope,
  at: Date,
): Promise<{ left: number[]; users: number }> {
  throw new Error('to be measured')
}
