import type { Notification } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { acceptPersonal } from '../accept/accept-personal.ts'
import type { Accepted } from '../accept/draft-message.ts'

export interface NotifyUserInput {
  userId: string
  notification: Notification
}

export async function notifyUser(ctx: Context, { userId, notification }: NotifyUserInput): Promise<Accepted> {
  return acceptPersonal(ctx, { user: userId, notification }, 'notification')
}
