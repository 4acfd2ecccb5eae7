import type { Context } from '../../base/context.ts'
import { getAppLook } from './get-app-look.ts'
import { mayUsersSend } from './may-users-send.ts'

export interface OwnApp {
  appId: string
  name: string
  defaultNotificationText?: string
  defaultIcon?: string
  allowUserMessages: boolean
}

/** The app that calls. */
export async function getOwnApp(ctx: Pick<Context, 'app' | 'store' | 'tx'>): Promise<OwnApp> {
  const { name, notificationText, icon } = await getAppLook(ctx)
  return {
    appId: ctx.app.label,
    name,
    ...(notificationText !== undefined && { defaultNotificationText: notificationText }),
    ...(icon !== undefined && { defaultIcon: icon }),
    allowUserMessages: await mayUsersSend(ctx),
  }
}
