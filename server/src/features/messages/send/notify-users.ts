import type { AnyNotification } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { acceptGroup } from '../accept/accept-group.ts'
import { acceptPersonal, acceptPersonalArray } from '../accept/accept-personal.ts'
import type { Accepted } from '../accept/draft-message.ts'
import { allKeys, groupKeys, readReceiverKey } from './read-receivers.ts'
import { readSent } from './read-sent.ts'

/** [interface.md#42-send-a-notification] To users, or to a group. */
export async function notifyUsers(
  ctx: Context,
  input: AnyNotification | AnyNotification[],
): Promise<Accepted | Accepted[]> {
  const sent = await readSent(ctx, input)
  if (Array.isArray(sent)) return acceptPersonalArray(ctx, sent, 'notification')
  const isGroup = groupKeys.includes(readReceiverKey(sent, allKeys))
  return isGroup ? acceptGroup(ctx, sent, 'notification') : acceptPersonal(ctx, sent, 'notification')
}
