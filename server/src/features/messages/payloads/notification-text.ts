import type { AppLook, PushMessage } from './compiled-push.ts'

/** [sending.md#texts] */
export function notificationText({ content: message }: Pick<PushMessage, 'content'>, look: AppLook) {
  const { notification, alertText, content, useAsAlert } = message
  const body =
    notification?.body ?? alertText ?? (useAsAlert ? content : undefined) ?? look.notificationText ?? content ?? ''
  return { title: notification?.title ?? look.name, body }
}
