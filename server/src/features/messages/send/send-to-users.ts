import type { PersonalMessage } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { acceptPersonal, acceptPersonalArray } from '../accept/accept-personal.ts'
import type { Accepted } from '../accept/draft-message.ts'
import { readSent } from './read-sent.ts'

/** [interface.md#41-send-a-message-to-users] */
export async function sendToUsers(
  ctx: Context,
  input: PersonalMessage | PersonalMessage[],
): Promise<Accepted | Accepted[]> {
  const sent = await readSent(ctx, input)
  return Array.isArray(sent) ? acceptPersonalArray(ctx, sent, 'message') : acceptPersonal(ctx, sent, 'message')
}
