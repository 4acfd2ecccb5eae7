import type { Overview } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db, inSnapshot } from '#base/context.ts'
import { isHeld } from '../../installations/connections/is-connected-now.ts'
import { periodOf } from '../days/list-days.ts'
import { readMeasures } from '../days/read-measures.ts'
import { readRevenue } from '../days/read-revenue.ts'
import { findLatestLines } from '../message-lines/find-lines.ts'
import { linesOf } from '../message-lines/lines-of.ts'
import { listWarnings } from './list-warnings.ts'

const defaultDays = 30
const shownSendings = 10

/** How the app does, against as many days before; what is being sent; what needs a person. */
export async function readOverview(ctx: Context, input: { days?: number | undefined }): Promise<Overview> {
  const period = periodOf(ctx.now(), input.days ?? defaultDays)
  const warnings = await listWarnings(ctx)
  return inSnapshot(ctx, async (inner) => ({
    at: inner.now().getTime(),
    days: period.days,
    ...(await readMeasures(inner, period)),
    revenue: await readRevenue(inner, period),
    connected: await countConnected(inner),
    sending: await linesOf(inner, await findLatestLines(inner, { latest: 0, underWay: shownSendings, others: [] })),
    warnings,
  }))
}

async function countConnected(ctx: Context): Promise<number> {
  const [row] = await db(ctx).query<{ count: number }>(
    sql`select count(*) from connections c where c.app_id = ${ctx.app.id} and ${isHeld}`,
    'count-connected',
  )
  return row?.count ?? 0
}
