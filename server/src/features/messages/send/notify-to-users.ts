import type { PersonalNotification } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { acceptPersonal } from '../accept/accept-personal.ts'
import type { Accepted } from '../accept/draft-message.ts'
import { readSent } from './read-sent.ts'

/** [sending.md#sms-fallback] */
export async function notifyToUsers(ctx: Context, input: PersonalNotification): Promise<Accepted> {
  return acceptPersonal(ctx, await readSent(ctx, input), 'notification')
}
