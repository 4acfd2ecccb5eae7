import type { PersonalMessage } from '@peyk/contract'
import type { Context } from '../../base/context.ts'
import { type Accepted, acceptPersonal, acceptPersonalArray } from './accept-personal.ts'

/** [spec 4.1] */
export async function sendToUsers(
  ctx: Context,
  input: PersonalMessage | PersonalMessage[],
): Promise<Accepted | Accepted[]> {
  return Array.isArray(input) ? acceptPersonalArray(ctx, input, 'message') : acceptPersonal(ctx, input, 'message')
}
