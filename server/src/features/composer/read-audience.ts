import type { ComposedMessage } from '@peyk/contract'
import sql, { type Sql } from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { onChannel, onlyOpen } from '../messages/accept/recipients-condition.ts'
import { readMessageChannel } from '../messages/compose/message-channel.ts'
import { allKeys, groupKeys, readReceiverKey, readUsers } from '../messages/send/read-receivers.ts'
import { type Audience, compileAudience } from '../segments/compile/compile-audience.ts'

export type Receivers = Pick<ComposedMessage, 'product' | 'user' | 'users' | 'target' | 'segment' | 'channel' | 'live'>

/** A condition on installations `i`: of everybody's, or of these users'. */
export type ChosenAudience =
  | { userIds: string[]; subscription: string | undefined; live: boolean; condition: Sql }
  | ChosenGroup

export interface ChosenGroup {
  condition: Sql
  userIds?: undefined
  /** What the condition is of, where neither a channel nor `live` narrows it. */
  plain: Audience | undefined
}

/** Whom somebody who composes a message has chosen. */
export async function readAudience(ctx: Context, sent: Receivers): Promise<ChosenAudience> {
  const { product, channel, live = false } = sent
  const key = readReceiverKey(sent, allKeys)
  const subscription = product === 'message' ? readMessageChannel(channel ?? '').subscription : undefined
  const isGroup = groupKeys.includes(key)
  const userIds = isGroup ? undefined : readUsers(sent)
  const meant = sql`${onChannel(subscription)}${onlyOpen({ live })}`
  if (userIds !== undefined) return { userIds, subscription, live, condition: sql`i.uninstalled_at is null${meant}` }
  const audience: Audience = isGroup ? { [key]: sent[key] } : { target: {} }
  const members = await compileAudience(ctx, audience, ctx.now())
  return { condition: sql`${members}${meant}`, plain: subscription === undefined && !live ? audience : undefined }
}
