import type { AnyNotification } from '@peyk/contract'
import type { Context } from '../../../base/context.ts'
import { acceptGroup } from '../accept/accept-group.ts'
import { acceptPersonal, acceptPersonalArray } from '../accept/accept-personal.ts'
import type { Accepted } from '../accept/draft-message.ts'
import { allKeys, groupKeys, readReceiverKey } from './read-receivers.ts'

/** [spec 4.2] To users, or to a group. */
export async function notifyUsers(
  ctx: Context,
  input: AnyNotification | AnyNotification[],
): Promise<Accepted | Accepted[]> {
  if (Array.isArray(input)) return acceptPersonalArray(ctx, input, 'notification')
  const isGroup = groupKeys.includes(readReceiverKey(input, allKeys))
  return isGroup ? acceptGroup(ctx, input, 'notification') : acceptPersonal(ctx, input, 'notification')
}
