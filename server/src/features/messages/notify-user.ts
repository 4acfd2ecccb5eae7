import type { Notification } from '@peyk/contract'
import type { Context } from '../../base/context.ts'
import { type Accepted, acceptPersonal } from './accept-personal.ts'

export interface NotifyUserInput {
  userId: string
  notification: Notification
}

export async function notifyUser(ctx: Context, { userId, notification }: NotifyUserInput): Promise<Accepted> {
  return acceptPersonal(ctx, { user: userId, notification }, 'notification')
}
