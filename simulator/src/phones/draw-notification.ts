import type { Platform } from './platform.ts'

export interface DrawnAction {
  id: string
  title: string
  icon?: string
  url?: string
}

export interface DrawnNotification {
  title: string
  body: string
  icon?: string
  image?: string
  clickUrl?: string
  actions: DrawnAction[]
  trackId?: string
  /** A later notification with the same tag takes its place on the screen. */
  tag?: string
}

export interface DrawnPush {
  /** Missing in a push that the service did not write. */
  messageId: string | undefined
  /** Missing when there is nothing to see. */
  notification: DrawnNotification | undefined
}

type Fields = Record<string, unknown>

/** What a device of the platform makes of a push: what the system draws itself, and what the client library draws. */
export function drawNotification(platform: Platform, content: unknown, collapseKey?: string): DrawnPush {
  const fields = asFields(content)
  switch (platform) {
    case 'android':
      return drawAndroid(fields)
    case 'ios':
      return drawApple(fields, collapseKey)
    case 'web':
      return drawFromClientFields(fields)
  }
}

/** What the client library makes of a message that came over the own connection. */
export function drawMessage(content: unknown): DrawnPush {
  const { id, trackId, silent, notification } = asFields(content)
  const { image, mediaUrl, tag, ...shown } = asFields(notification)
  return drawFromClientFields({
    ...shown,
    image: image ?? mediaUrl,
    tag: tag ?? id,
    messageId: id,
    trackId,
    silent,
  })
}

/** `notification` is drawn by the system, without buttons; data alone is drawn by the client library. */
function drawAndroid({ notification, data, android }: Fields): DrawnPush {
  const client = readTexts(asFields(data))
  if (notification === undefined) return drawFromClientFields(client)
  const shown = { ...asFields(notification), ...asFields(asFields(android).notification) }
  const { actions: _drawnByTheLibrary, icon: _ofTheApp, ...rest } = client
  return drawFromClientFields({ ...rest, ...shown })
}

/** The system draws the alert; the library's extension, which needs mutable-content, adds the image and the buttons. */
function drawApple({ aps, messageId, trackId, clickUrl, media, category }: Fields, collapseKey?: string): DrawnPush {
  const { alert, 'mutable-content': isMutable } = asFields(aps)
  const { title, body } = typeof alert === 'string' ? { title: '', body: alert } : asFields(alert)
  const { url: image } = asFields(media)
  const { actions } = asFields(category)
  const added = Number(isMutable) === 1 ? { image, actions } : {}
  return drawFromClientFields({ title, body, messageId, trackId, clickUrl, tag: collapseKey, ...added })
}

function drawFromClientFields(fields: Fields): DrawnPush {
  const messageId = asText(fields.messageId)
  const title = asText(fields.title)
  const body = asText(fields.body)
  if (fields.silent === true || (title === undefined && body === undefined))
    return { messageId, notification: undefined }
  const notification: DrawnNotification = { title: title ?? '', body: body ?? '', actions: readActions(fields.actions) }
  for (const name of ['icon', 'image', 'clickUrl', 'trackId', 'tag'] as const) {
    const value = asText(fields[name])
    if (value !== undefined) notification[name] = value
  }
  return { messageId, notification }
}

function readActions(sent: unknown): DrawnAction[] {
  if (!Array.isArray(sent)) return []
  return sent.map((element, index) => {
    const { id, action, title, icon, url } = asFields(element)
    return {
      id: asText(id) ?? asText(action) ?? String(index),
      title: asText(title) ?? '',
      ...(asText(icon) !== undefined && { icon: asText(icon) as string }),
      ...(asText(url) !== undefined && { url: asText(url) as string }),
    }
  })
}

/** FCM's data holds texts only: what is no text is in it as JSON. */
function readTexts(data: Fields): Fields {
  const { silent, actions } = data
  return { ...data, silent: silent === 'true', actions: readJson(actions) }
}

function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
