import type { Context } from '@peyk/server/base/context.ts'
import { compileAudience } from '@peyk/server/features/segments/compile/compile-audience.ts'
import sql, { type Sql } from 'sql-template-tag'
import type { RunningProcess } from '../measure/process.ts'
import { parseHeaders } from '../subjects/parse.ts'
import type { Shape } from './shapes.ts'

/** A question, and the number of installations that it answers. */
export type Ask = () => Promise<number>

/** How many, and which: both as statements that answer one number, so that no time goes into reading rows here. */
const selections = {
  count: sql`count(*)::int as found`,
  select: sql`coalesce(cardinality(array_agg(i.installation_no)), 0) as found`,
}

export type Selection = keyof typeof selections

/** As the service asks: rules read and compiled each time. */
export function askPeyk(ctx: Context, shape: Shape, selection: Selection): Ask {
  return async () => {
    const condition = await compileAudience(ctx, { segment: shape.segment }, ctx.now())
    return readFound(ctx, sql`select ${selections[selection]} from installations i where ${condition}`)
  }
}

export function askByHand(ctx: Context, shape: Shape, selection: Selection): Ask {
  return () => readFound(ctx, sql`select ${selections[selection]} ${shape.byHand(ctx.app.id, ctx.now())}`)
}

async function readFound(ctx: Context, statement: Sql): Promise<number> {
  const [row] = await ctx.store.query<{ found: number }>(statement)
  return row?.found ?? 0
}

/** The endpoint, with its count of users and its funnel. */
export function askOverHttp(peyk: RunningProcess, token: string, shape: Pick<Shape, 'segment'>): Ask {
  return async () => {
    const response = await fetch(`${peyk.url}/api/segments/count`, {
      method: 'POST',
      headers: { 'X-Access-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ segment: shape.segment }),
    })
    return readCount(response)
  }
}

export function askParse(parse: RunningProcess, where: object): Ask {
  const query = new URLSearchParams({ where: JSON.stringify(where), count: '1', limit: '0' })
  return async () => readCount(await fetch(`${parse.url}/parse/classes/Device?${query}`, { headers: parseHeaders }))
}

async function readCount(response: Response): Promise<number> {
  if (response.status !== 200) throw new Error(`Counting was refused: ${await response.text()}`)
  const { count } = (await response.json()) as { count: number }
  return count
}
