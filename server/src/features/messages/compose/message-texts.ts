import type { MessageContent } from './compose-message.ts'

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

/** [choice 32] Every text of a message that may be a template. */
export function* messageTexts(content: MessageContent): Generator<MessageText> {
  const { notification, data } = content
  yield* ownTexts(content, ['content', 'alertText'], '')
  if (notification) {
    yield* ownTexts(notification, ['title', 'body'], 'notification.')
    for (const [index, action] of notification.actions?.entries() ?? []) {
      yield* ownTexts(action, ['title'], `notification.actions[${index}].`)
    }
    yield* messageLinks(content)
  }
  if (data) yield* textsIn(data, 'data')
}

export function* messageLinks({ notification }: Pick<MessageContent, 'notification'>): Generator<MessageText> {
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
