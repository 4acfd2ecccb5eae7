import type { PersonalMessage } from '@peyk/contract'
import type { Context } from '../../../base/context.ts'
import { acceptPersonal, acceptPersonalArray } from '../accept/accept-personal.ts'
import type { Accepted } from '../accept/draft-message.ts'

/** [spec 4.1] */
export async function sendToUsers(
  ctx: Context,
  input: PersonalMessage | PersonalMessage[],
): Promise<Accepted | Accepted[]> {
  return Array.isArray(input) ? acceptPersonalArray(ctx, input, 'message') : acceptPersonal(ctx, input, 'message')
}
