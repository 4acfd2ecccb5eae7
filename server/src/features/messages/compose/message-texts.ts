import type { MessageContent, NotificationContent } from './compose-message.ts'

export interface MessageText {
  /** Where it stands, such as "notification.actions[0].title". */
  field: string
  text: string
  /** A click opens it. */
  isLink: boolean
  /** The object or array that holds it, and under which key. */
  holder: object
  key: string | number
}

type Texts = Pick<MessageContent, 'content' | 'alertText' | 'data'> & {
  notification?: Partial<Pick<NotificationContent, 'title' | 'body' | 'clickUrl' | 'actions'>> & {
    /** Another name of `body`, in requests. */
    text?: string
  }
}

/** Every text of every variant in every language, such as "contents.fa.notification.title", with those of the SMS. */
export function* allTexts(content: MessageContent): Generator<MessageText> {
  yield* textsAndSms(content)
  yield* inWordings(content, textsAndSms)
}

export function* allLinks(content: MessageContent): Generator<MessageText> {
  yield* messageLinks(content)
  yield* inWordings(content, messageLinks)
}

type Read = (own: Texts & { fallback?: { content: string } }) => Iterable<MessageText>

function* inWordings({ contents, variants = [] }: MessageContent, read: Read): Generator<MessageText> {
  yield* inLanguages(contents, read, '')
  for (const [place, variant] of variants.entries()) {
    const path = `variants[${place}].`
    for (const text of read(variant)) yield { ...text, field: path + text.field }
    yield* inLanguages(variant.contents, read, path)
  }
}

function* inLanguages(contents: MessageContent['contents'], read: Read, path: string): Generator<MessageText> {
  for (const [language, own] of Object.entries(contents ?? {}))
    for (const text of read(own)) yield { ...text, field: `${path}contents.${language}.${text.field}` }
}

/** Those of a message as somebody gets it, or falls back to. */
export function* textsAndSms(content: Texts & { fallback?: { content: string } }): Generator<MessageText> {
  yield* messageTexts(content)
  if (content.fallback) yield* ownTexts(content.fallback, ['content'], 'fallback.')
}

/** [sending.md#templates] Every text of a message that may be a template. */
export function* messageTexts(content: Texts): Generator<MessageText> {
  const { notification, data } = content
  yield* ownTexts(content, ['content', 'alertText'], '')
  if (notification) {
    yield* ownTexts(notification, ['title', 'body', 'text'], 'notification.')
    for (const [index, action] of notification.actions?.entries() ?? []) {
      yield* ownTexts(action, ['title'], `notification.actions[${index}].`)
    }
    yield* messageLinks(content)
  }
  if (data) yield* textsIn(data, 'data')
}

export function* messageLinks({ notification }: Pick<Texts, 'notification'>): Generator<MessageText> {
  if (!notification) return
  yield* ownTexts(notification, ['clickUrl'], 'notification.', true)
  for (const [index, action] of notification.actions?.entries() ?? []) {
    yield* ownTexts(action, ['url'], `notification.actions[${index}].`, true)
  }
}

function* ownTexts<T extends object>(
  holder: T,
  keys: readonly (keyof T & string)[],
  path: string,
  isLink = false,
): Generator<MessageText> {
  for (const key of keys) {
    const text = holder[key]
    if (typeof text === 'string') yield { field: path + key, text, isLink, holder, key }
  }
}

function* textsIn(holder: object, path: string): Generator<MessageText> {
  const isList = Array.isArray(holder)
  for (const [name, value] of Object.entries(holder)) {
    const field = isList ? `${path}[${name}]` : `${path}.${name}`
    if (typeof value === 'string') yield { field, text: value, isLink: false, holder, key: name }
    else if (typeof value === 'object' && value !== null) yield* textsIn(value, field)
  }
}
