import { type Cap, capWindowMs, type QuietHours, show } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'

const longestWindowMs = 30 * 86_400_000

export function checkQuietHours(hours: QuietHours): QuietHours {
  if (hours.from !== hours.to) return hours
  throw fault('quietHours', `"from" and "to" are both ${show(hours.from)}: the hours would be none, or all`)
}

export async function checkCaps(ctx: Pick<Context, 'app' | 'store' | 'tx'>, caps: Cap[]): Promise<Cap[]> {
  const isLimited = caps.some(({ categories }) => categories)
  const known = isLimited ? await readCategoryIds(ctx) : []
  for (const [index, cap] of caps.entries()) {
    if (capWindowMs(cap) > longestWindowMs) {
      throw fault(`caps.${index}.window`, `expected at most 30 days, got ${show(cap.window)}`)
    }
    const unknown = cap.categories?.find((id) => !known.includes(id))
    if (unknown !== undefined) {
      throw fault(`caps.${index}.categories`, `there is no category ${show(unknown)}`)
    }
  }
  return caps
}

/** The category is not deleted before the transaction ends. */
export async function lockGroupCategory(
  tx: Transaction,
  ctx: Pick<Context, 'app' | 'store'>,
  id: string,
): Promise<void> {
  const found = await tx.query(sql`select 1 from categories where app_id = ${ctx.app.id} and id = ${id} for key share`)
  if (found.length > 0) return
  const known = await readCategoryIds({ ...ctx, tx })
  const expected = known.map((each) => show(each)).join(', ')
  throw fault(
    'groupCategory',
    known.length === 0 ? 'the app has no categories' : `expected one of ${expected}, or null for none, got ${show(id)}`,
  )
}

async function readCategoryIds(ctx: Pick<Context, 'app' | 'store' | 'tx'>): Promise<string[]> {
  const rows = await db(ctx).query<{ id: string }>(
    sql`select id from categories where app_id = ${ctx.app.id} order by created_at, id`,
  )
  return rows.map(({ id }) => id)
}

function fault(field: string, what: string): RequestError {
  return new RequestError('invalid-request', `"${field}": ${what}.`, { details: { field } })
}
