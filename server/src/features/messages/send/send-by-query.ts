import type { GroupMessage } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { acceptGroup } from '../accept/accept-group.ts'
import type { Accepted } from '../accept/draft-message.ts'
import { readSent } from './read-sent.ts'

/** [interface.md#43-send-a-message-to-a-group] */
export async function sendByQuery(ctx: Context, input: GroupMessage): Promise<Accepted> {
  return acceptGroup(ctx, await readSent(ctx, input), 'message')
}
