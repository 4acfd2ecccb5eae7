import type { NotificationContent } from '../compose/compose-message.ts'
import { apnsPayload } from './apns.ts'
import {
  type ClientNotification,
  clientNotification,
  phoneExtras,
  type WebExtras,
  webExtras,
} from './client-notification.ts'
import type { AppLook, Platform, PushMessage } from './compiled-push.ts'
import { lightSettings, toSixDigits, vibrateTimings } from './fcm-values.ts'
import { topicOf } from './web-push.ts'

/** The `message` of FCM HTTP v1 without its token. `ttlSeconds` is a text, so that it can be filled in later. */
export function fcmMessage(message: PushMessage, look: AppLook, platform: Platform, ttlSeconds: string): object {
  return platform === 'ios' ? forApple(message, look) : forOthers(message, look, platform, ttlSeconds)
}

function forApple(message: PushMessage, look: AppLook): object {
  const { body, pushType, priority, collapseId } = apnsPayload(message, look)
  return {
    apns: {
      headers: {
        'apns-push-type': pushType,
        'apns-priority': String(priority),
        'apns-expiration': String(Math.floor(message.expiresAt.getTime() / 1000)),
        'apns-collapse-id': collapseId,
      },
      payload: body,
    },
  }
}

/** Without autoNotify FCM is given data alone, and the client library draws. */
function forOthers(message: PushMessage, look: AppLook, platform: 'android' | 'web', ttlSeconds: string): object {
  const { autoNotify, silent, notification } = message.content
  const extras = notification && !silent && { ...phoneExtras(notification), ...forBrowser(platform, notification) }
  const client = { ...clientNotification(message, look), ...extras }
  const isDisplayed = Boolean(autoNotify && !silent)
  const { title, body, image, ...rest } = client
  const android = { priority: silent ? 'NORMAL' : 'HIGH', ttl: `${ttlSeconds}s` }
  const webpush = { headers: { TTL: ttlSeconds, Urgency: silent ? 'normal' : 'high', Topic: topicOf(message.id) } }
  if (!isDisplayed) return { data: asTexts(client), ...(platform === 'web' ? { webpush } : { android }) }
  const display = { title, body, ...(image !== undefined && { image }) }
  return platform === 'web'
    ? {
        notification: display,
        data: asTexts(rest),
        webpush: { ...webpush, notification: webOptions(client), ...linkOption(client.clickUrl) },
      }
    : { notification: display, data: asTexts(rest), android: { ...android, notification: androidOptions(message) } }
}

function forBrowser(platform: 'android' | 'web', notification: NotificationContent): WebExtras {
  return platform === 'web' ? webExtras(notification) : {}
}

function asTexts(fields: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

/** What FCM would refuse is left out; the client library still finds it in data. */
function androidOptions({ id, content: { notification } }: PushMessage): object {
  const { smallIcon, sound, color, ledColor, vibrate } = notification ?? ({} as Partial<NotificationContent>)
  const sixDigits = toSixDigits(color)
  const light = lightSettings(ledColor)
  const timings = vibrateTimings(vibrate)
  return {
    tag: id,
    sound: sound ?? 'default',
    ...(smallIcon !== undefined && /^\w+$/.test(smallIcon) && { icon: smallIcon }),
    ...(sixDigits !== undefined && { color: sixDigits }),
    ...(light && { light_settings: light }),
    ...(timings && { vibrate_timings: timings }),
  }
}

function webOptions(client: ClientNotification & WebExtras): object {
  const { icon, badge, tag, dir, vibrate, actions, requireInteraction, renotify } = client
  return {
    tag,
    ...(requireInteraction && { requireInteraction }),
    ...(renotify && { renotify }),
    ...(icon !== undefined && { icon }),
    ...(badge !== undefined && { badge }),
    ...(dir !== undefined && { dir }),
    ...(vibrate && { vibrate }),
    ...(actions && {
      actions: actions.map(({ id, title, icon: picture }) => ({
        action: id ?? '',
        title: title ?? '',
        ...(picture !== undefined && { icon: picture }),
      })),
    }),
  }
}

/** FCM takes nothing but https here. */
function linkOption(clickUrl: string | undefined): object {
  return clickUrl?.startsWith('https://') ? { fcm_options: { link: clickUrl } } : {}
}
