import type { Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { readAudience } from '../read/read-audience.ts'
import type { Audience } from '../read/resolve-audience.ts'
import { compileCheapest } from './compile-cheapest.ts'

export type { Audience }

/**
 * Which installations `i` are meant, as a condition: `select count(*) from installations i where ${condition}`. Times
 * are measured from `at`. With `createdBy`, newer installations are left out. What is no segment is refused, unless it
 * was accepted before: then a rule that does not suit its attribute any more finds the attribute missing.
 */
export async function compileAudience(
  ctx: Context,
  audience: Audience,
  at: Date,
  { createdBy, ...options }: { wasAccepted?: boolean; createdBy?: Date } = {},
): Promise<Sql> {
  const { steps, scope } = await readAudience(ctx, audience, at, options)
  const conditions = steps.map((step) => step.condition)
  return compileCheapest(db(ctx), conditions, scope, createdBy)
}
