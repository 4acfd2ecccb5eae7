import { isObject, type Message } from '../message.ts'

/** What browsers take beyond TypeScript's own NotificationOptions. */
export interface ShownOptions extends NotificationOptions {
  image?: string
  vibrate?: number[]
  renotify?: boolean
  actions?: { action: string; title: string; icon?: string }[]
}

/** Goes with the notification: what to report and where to go when it is touched. */
export interface Marks {
  messageId: string
  trackId?: string
  clickUrl?: string
  actionUrls: Record<string, string>
}

export interface DrawnNotification {
  title: string
  options: ShownOptions
  marks: Marks
}

type Fields = Record<string, unknown>

/** Of a message that came by the connection; one without a notification has nothing to show. */
export function drawMessage({ id, trackId, data, notification, silent }: Message): DrawnNotification | undefined {
  return silent || !notification ? undefined : draw({ ...notification, messageId: id, trackId, data })
}

/** Of a push that the service worker was given. */
export function drawPush(push: Fields): DrawnNotification | undefined {
  return push.silent === true ? undefined : draw(push)
}

function draw(fields: Fields): DrawnNotification | undefined {
  const messageId = text(fields.messageId)
  const title = text(fields.title) ?? ''
  const body = text(fields.body)
  if (messageId === undefined || (title === '' && body === undefined)) return undefined
  const marks: Marks = { messageId, actionUrls: {} }
  assign(marks, 'trackId', text(fields.trackId))
  assign(marks, 'clickUrl', text(fields.clickUrl))
  const options: ShownOptions = { tag: text(fields.tag) ?? messageId }
  assign(options, 'body', body)
  assign(options, 'icon', text(fields.icon) ?? text(fields.largeIcon))
  assign(options, 'image', text(fields.image) ?? imageOf(fields))
  assign(options, 'badge', text(fields.badge) ?? text(fields.chromeBadge))
  assign(options, 'dir', directionOf(fields.dir))
  assign(options, 'vibrate', numbers(fields.vibrate))
  if (fields.renotify === true) options.renotify = true
  if (fields.requireInteraction === true) options.requireInteraction = true
  const actions = drawActions(fields.actions, marks)
  if (actions.length > 0) options.actions = actions
  options.data = { ...(isObject(fields.data) && fields.data), peyk: marks }
  return { title, options, marks }
}

function drawActions(sent: unknown, marks: Marks): NonNullable<ShownOptions['actions']> {
  if (!Array.isArray(sent)) return []
  return sent.filter(isObject).flatMap((fields, index) => {
    const title = text(fields.title)
    if (title === undefined) return []
    const action = text(fields.id) ?? text(fields.action) ?? String(index)
    const url = text(fields.url)
    if (url !== undefined) marks.actionUrls[action] = url
    const icon = text(fields.icon)
    return [{ action, title, ...(icon !== undefined && { icon }) }]
  })
}

/** Media of no type is taken for an image, as everywhere in the service. */
function imageOf({ mediaUrl, mediaType }: Fields): string | undefined {
  const isImage = !text(mediaType) || /^\.?(image|jpe?g|png|gif|webp|avif|bmp|svg)/i.test(String(mediaType))
  return isImage ? text(mediaUrl) : undefined
}

function directionOf(value: unknown): NotificationDirection | undefined {
  const word = text(value)?.toLowerCase()
  return word === 'ltr' || word === 'rtl' || word === 'auto' ? word : undefined
}

function numbers(value: unknown): number[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number') ? value : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function assign<T extends object, Name extends keyof T>(target: T, name: Name, value: T[Name] | undefined): void {
  if (value !== undefined) target[name] = value
}
