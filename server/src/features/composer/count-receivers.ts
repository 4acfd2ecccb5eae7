import type { ReceiverCount } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { tryCountAudience } from '../segments/count/try-count-audience.ts'
import { countNamed } from './count-named.ts'
import { findLargestAudience } from './find-largest-audience.ts'
import { judgeSize, reachesEverybody } from './judge-size.ts'
import { type ChosenGroup, type Receivers, readAudience } from './read-audience.ts'

/** Users of more installations are not counted by SQL: that takes five times as long as the installations. */
const countedUsers = 50_000

/** What the send would answer as its count, while somebody still chooses. */
export async function countReceivers(ctx: Context, sent: Receivers): Promise<ReceiverCount> {
  const audience = await readAudience(ctx, sent)
  const counted = audience.userIds ? await countNamed(ctx, audience.userIds, audience) : await countGroup(ctx, audience)
  const largest = await findLargestAudience(ctx)
  const unusual = judgeSize(counted.count, largest, reachesEverybody(sent.product, sent))
  return { ...counted, ...(unusual && { unusual }) }
}

async function countGroup(ctx: Context, { condition, plain }: ChosenGroup): Promise<ReceiverCount> {
  const known = plain && (await tryCountAudience(ctx, plain))
  if (known) return known
  const meant = sql`from installations i where ${condition}`
  const [{ count } = { count: 0 }] = await db(ctx).query<{ count: number }>(sql`select count(*)::int as count ${meant}`)
  if (count > countedUsers) return { count }
  const [row] = await db(ctx).query<{ users: number }>(sql`select count(distinct i.user_no)::int as users ${meant}`)
  return { count, users: row?.users ?? 0 }
}
