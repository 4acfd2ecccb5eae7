import sql, { type Sql } from 'sql-template-tag'
import type { Context } from '../../base/context.ts'
import { compileCondition } from './compile-condition.ts'
import { readAudience } from './read-audience.ts'

/** Exactly one of the two [choice 26]. */
export interface Audience {
  segment?: unknown
  target?: unknown
}

/**
 * Which installations `i` belong to it, as a condition: `select count(*) from installations i where ${condition}`.
 * Measured from `at`: later installations are not among them [choice 28]. What is not a segment is refused, unless it
 * was accepted before: then a rule that no longer suits its attribute matches as if the attribute were missing.
 */
export async function compileAudience(
  ctx: Context,
  audience: Audience,
  at: Date,
  options: { wasAccepted?: boolean } = {},
): Promise<Sql> {
  const steps = await readAudience(ctx, audience, at, options)
  const condition = compileCondition({ all: steps.map((step) => step.condition) }, ctx.app.id)
  return sql`${installedBy(ctx.app.id, at)} and ${condition}`
}

/** Moments count in whole milliseconds, as callers see them. */
export function installedBy(appId: number, at: Date): Sql {
  const next = new Date(at.getTime() + 1).toISOString()
  return sql`i.app_id = ${appId} and i.uninstalled_at is null and i.created_at < ${next}::timestamptz`
}
