import type { MessageContent } from './compose-message.ts'

export interface MessageText {
  /** Where it stands, such as "notification.actions[0].title". */
  field: string
  text: string
}

/** [choice 32] Every text of a message that may be a template. */
export function* messageTexts({ content, alertText, notification, data }: MessageContent): Generator<MessageText> {
  if (content !== undefined) yield { field: 'content', text: content }
  if (alertText !== undefined) yield { field: 'alertText', text: alertText }
  if (notification) {
    const { title, body, actions } = notification
    yield { field: 'notification.title', text: title }
    if (body !== undefined) yield { field: 'notification.body', text: body }
    for (const [index, action] of actions?.entries() ?? []) {
      if (action.title !== undefined) yield { field: `notification.actions[${index}].title`, text: action.title }
    }
    yield* messageLinks({ notification })
  }
  if (data) yield* textsIn(data, 'data')
}

/** The texts that a click opens. */
export function* messageLinks({ notification }: Pick<MessageContent, 'notification'>): Generator<MessageText> {
  if (notification?.clickUrl !== undefined) yield { field: 'notification.clickUrl', text: notification.clickUrl }
  for (const [index, action] of notification?.actions?.entries() ?? []) {
    if (action.url !== undefined) yield { field: `notification.actions[${index}].url`, text: action.url }
  }
}

function* textsIn(value: unknown, field: string): Generator<MessageText> {
  if (typeof value === 'string') yield { field, text: value }
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* textsIn(item, `${field}[${index}]`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* textsIn(item, `${field}.${key}`)
  }
}
