import sql, { empty, type Sql } from 'sql-template-tag'
import { type Context, db } from '../../base/context.ts'
import { isUuid } from '../../base/ids.ts'
import { isOpenNow } from '../installations/is-connected-now.ts'
import { type Audience, compileAudience } from '../segments/compile-audience.ts'
import type { Draft } from './draft-message.ts'

/** How many installations of an audience a message goes to, when it is accepted. */
export async function countAudience(ctx: Context, audience: Audience, draft: Draft): Promise<number> {
  const condition = await compileAudience(ctx, audience, draft.acceptedAt)
  const [row] = await db(ctx).query<{ count: number }>(
    sql`select count(*)::int as count from installations i where ${condition}${onChannel(draft.channel.subscription)}${onlyOpen(draft.body)}`,
  )
  return row?.count ?? 0
}

/** A live message goes to installations that have the app open. */
export function onlyOpen({ live }: { live?: boolean }): Sql {
  return live ? sql` and ${isOpenNow(sql`i.app_id`, sql`i.installation_no`)}` : empty
}

/** The second condition is the index's own. */
export function onChannel(subscription: string | undefined): Sql {
  if (subscription === undefined) return empty
  const isSubscribed = sql`i.subscriptions @> ${[subscription]}::text[] and i.subscriptions <> '{}'`
  return isUuid(subscription) ? sql` and (i.id = ${subscription}::uuid or ${isSubscribed})` : sql` and ${isSubscribed}`
}
