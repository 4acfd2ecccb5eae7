import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { type QuotaName, type Quotas, quotaNames } from './quota.ts'

const largest = 1e12

/** Sets some quotas of an app, null for none; what is not given stays as it is. Processes that run see it within seconds. */
export async function setQuotas(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  input: Partial<Record<QuotaName, number | null>>,
): Promise<Quotas> {
  const given = Object.entries(input).filter(([, limit]) => limit !== undefined)
  for (const [name, limit] of given) check(name, limit)
  const set = Object.fromEntries(given.filter(([, limit]) => limit !== null))
  const removed = given.flatMap(([name, limit]) => (limit === null ? [name] : []))
  const [row] = await db(ctx).query<{ quotas: Quotas | null }>(sql`
    update apps set quotas = nullif((coalesce(quotas, '{}') - ${removed}::text[]) || ${JSON.stringify(set)}, '{}')
    where app_id = ${ctx.app.id} returning quotas`)
  return row?.quotas ?? {}
}

function check(name: string, limit: number | null): void {
  if (!(quotaNames as readonly string[]).includes(name))
    throw new RequestError('invalid-request', `"${name}": there is no such quota.`)
  if (limit === null || (Number.isInteger(limit) && limit >= 0 && limit <= largest)) return
  throw new RequestError('invalid-request', `"${name}": expected a whole number from 0 to ${largest}, got ${limit}.`, {
    details: { field: name },
  })
}
