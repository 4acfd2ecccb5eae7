import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { getRetention } from './get-retention.ts'
import type { Retention } from './retention.ts'

const longestDays = 3650

/**
 * How long an app keeps what grows without end [users-and-events.md#how-long-data-is-kept]. What is not given stays as
 * it is.
 */
export async function changeRetention(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  input: { eventsDays?: number; deliveriesDays?: number },
): Promise<Retention> {
  const { eventsDays, deliveriesDays } = input
  for (const days of [eventsDays, deliveriesDays]) if (days !== undefined) checkDays(days)
  const given = {
    ...(eventsDays !== undefined && { eventsDays }),
    ...(deliveriesDays !== undefined && { deliveriesDays }),
  }
  return inTransaction(ctx, async (tx) => {
    await tx.query(sql`
      update apps set settings = jsonb_set(settings, '{retention}',
        case when jsonb_typeof(settings->'retention') = 'object' then settings->'retention' else '{}' end || ${JSON.stringify(given)})
      where app_id = ${ctx.app.id}`)
    return getRetention({ ...ctx, tx })
  })
}

function checkDays(days: number): void {
  if (Number.isInteger(days) && days >= 1 && days <= longestDays) return
  throw new RequestError('invalid-request', `Expected a whole number of days from 1 to ${longestDays}, got ${days}.`)
}
