import type { ComposedMessage, ReceiverCount } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '../../base/context.ts'
import { onChannel, onlyOpen } from '../messages/accept/recipients-condition.ts'
import { readMessageChannel } from '../messages/compose/message-channel.ts'
import { allKeys, groupKeys, readReceiverKey, readUsers } from '../messages/send/read-receivers.ts'
import { compileAudience } from '../segments/compile/compile-audience.ts'
import { countNamed } from './count-named.ts'
import { findLargestAudience } from './find-largest-audience.ts'
import { judgeSize, reachesEverybody } from './judge-size.ts'

export type Receivers = Pick<ComposedMessage, 'product' | 'user' | 'users' | 'target' | 'segment' | 'channel' | 'live'>

/** Users of more installations are not counted: that takes five times as long as the installations. */
const countedUsers = 50_000

/** What the send would answer as its count, while somebody still chooses. */
export async function countReceivers(ctx: Context, sent: Receivers): Promise<ReceiverCount> {
  const counted = await count(ctx, sent)
  const largest = await findLargestAudience(ctx)
  const unusual = judgeSize(counted.count, largest, reachesEverybody(sent.product, sent))
  return { ...counted, ...(unusual && { unusual }) }
}

async function count(ctx: Context, sent: Receivers): Promise<ReceiverCount> {
  const key = readReceiverKey(sent, allKeys)
  const subscription = sent.product === 'message' ? readMessageChannel(sent.channel ?? '').subscription : undefined
  const flags = { subscription, live: sent.live ?? false }
  if (groupKeys.includes(key)) return countGroup(ctx, { [key]: sent[key] }, flags)
  const userIds = readUsers(sent)
  return userIds === undefined ? countGroup(ctx, { target: {} }, flags) : countNamed(ctx, userIds, flags)
}

async function countGroup(
  ctx: Context,
  audience: { target?: unknown; segment?: unknown },
  { subscription, live }: { subscription: string | undefined; live: boolean },
): Promise<ReceiverCount> {
  const condition = await compileAudience(ctx, audience, ctx.now())
  const meant = sql`from installations i where ${condition}${onChannel(subscription)}${onlyOpen({ live })}`
  const [{ count } = { count: 0 }] = await db(ctx).query<{ count: number }>(sql`select count(*)::int as count ${meant}`)
  if (count > countedUsers) return { count }
  const [row] = await db(ctx).query<{ users: number }>(sql`select count(distinct i.user_no)::int as users ${meant}`)
  return { count, users: row?.users ?? 0 }
}
