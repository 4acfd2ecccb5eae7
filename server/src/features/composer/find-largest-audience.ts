import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { firstIdAt } from '#base/ids.ts'

const DAY_MS = 86_400_000

/** The most installations that a message to a group went to in the last 30 days. */
export async function findLargestAudience(ctx: Context): Promise<number> {
  const since = firstIdAt(ctx.now().getTime() - 30 * DAY_MS)
  const [row] = await db(ctx).query<{ largest: number | null }>(sql`
    select max(recipients) as largest from messages
    where app_id = ${ctx.app.id} and id >= ${since}::uuid and audience <> 'users'`)
  return row?.largest ?? 0
}
