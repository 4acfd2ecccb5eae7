/** What a message says of its notification. More fields may be in it than are named here. */
export interface MessageNotification {
  title?: string
  body?: string
  icon?: string
  clickUrl?: string
  [field: string]: unknown
}

export interface Message {
  id: string
  content: string
  /** `default`, `public/x`, or `x` for the user's own channel x. */
  channel: string
  /** Epoch milliseconds. */
  createdAt: number
  /** Epoch milliseconds. */
  expireAt?: number
  data?: Record<string, unknown>
  trackId?: string
  clientId?: string
  publishId?: string
  silent?: boolean
  inApp?: boolean
  notification?: MessageNotification
  isRead: boolean
}

/** A message as the connection brings it; undefined when there is none in it, which is nothing to come again for. */
export function readMessage(topic: string, json: string, now: number): Message | undefined {
  const sent = parse(json)
  if (typeof sent?.id !== 'string') return undefined
  const message: Message = {
    id: sent.id,
    content: typeof sent.content === 'string' ? sent.content : '',
    channel: channelOf(topic),
    createdAt: readTime(sent.createdAt) ?? now,
    isRead: false,
  }
  const expireAt = readTime(sent.expireAt)
  if (expireAt !== undefined) message.expireAt = expireAt
  for (const name of ['trackId', 'clientId', 'publishId'] as const) {
    const value = sent[name]
    if (typeof value === 'string') message[name] = value
  }
  for (const name of ['silent', 'inApp'] as const) if (sent[name] === true) message[name] = true
  for (const name of ['data', 'notification'] as const) {
    const value = sent[name]
    if (isObject(value)) message[name] = value
  }
  return message
}

/** The message that was recalled, where that is what the connection brings. */
export function readClear(json: string): string | undefined {
  const clear = parse(json)?.clear
  return typeof clear === 'string' ? clear : undefined
}

/** `app/{appId}/user/{userId}/x` is the user's own channel x, `app/{appId}/user/public/x` the public one. */
function channelOf(topic: string): string {
  const [, , , owner, ...rest] = topic.split('/')
  const name = rest.join('/') || 'default'
  return owner === 'public' && name !== 'default' ? `public/${name}` : name
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function parse(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined
}
