import type { LanguageContent } from './compose-contents.ts'
import type { MessageContent, NotificationContent } from './compose-message.ts'
import { directionOf, matchLanguage } from './language-tags.ts'

type Action = NonNullable<NotificationContent['actions']>[number]

/** Which of a message’s texts somebody gets. */
export interface TextChoice {
  /** One of the languages of `contents`; undefined for the plain texts. */
  language: string | undefined
}

/** [choice 186] `written`: the language of the installation, as it says. */
export function chooseTexts({ contents = {} }: MessageContent, written: string | null | undefined): TextChoice {
  return { language: matchLanguage(written, Object.keys(contents)) }
}

/**
 * The message as somebody gets it: each text from the first of the chosen layers that has it, else the plain one. The
 * message itself is left as it is.
 */
export function contentFor({ contents, ...plain }: MessageContent, { language }: TextChoice): MessageContent {
  const own = language === undefined ? undefined : contents?.[language]
  if (language === undefined || !own) return plain
  return withDirection(overlay(plain, own), own, language)
}

/** One layer of texts over another. What has parts is laid over part by part; `data` by its keys. */
function overlay(under: MessageContent, own: LanguageContent): MessageContent {
  const { content, alertText, data, notification, fallback } = own
  return {
    ...under,
    ...(content !== undefined && { content }),
    ...(alertText !== undefined && { alertText }),
    ...(data && { data: { ...under.data, ...data } }),
    ...(notification && under.notification && { notification: overlayNotification(under.notification, notification) }),
    ...(fallback && under.fallback && { fallback: { ...under.fallback, ...fallback } }),
  }
}

function overlayNotification(
  under: NotificationContent,
  { actions, ...own }: NonNullable<LanguageContent['notification']>,
): NotificationContent {
  const notification = { ...under, ...own }
  if (!actions || !under.actions) return notification
  return { ...notification, actions: under.actions.map((action, place) => overlayAction(action, place, actions)) }
}

/** By their ids; those without one by their place. */
function overlayAction(action: Action, place: number, actions: readonly Action[]): Action {
  const inPlace = actions[place]
  const own =
    actions.find(({ id }) => id !== undefined && id === action.id) ?? (inPlace?.id === undefined ? inPlace : undefined)
  return { ...action, ...own }
}

/**
 * [choice 187] A `dir` belongs to the texts that it stands beside: the language’s own wins, and that of the message is
 * for its plain texts. Where there is no notification, one is drawn from the message’s text.
 */
function withDirection(content: MessageContent, own: LanguageContent, language: string): MessageContent {
  const { title, body, dir } = own.notification ?? {}
  if (dir !== undefined || [own.content, own.alertText, title, body].every((text) => text === undefined)) return content
  return { ...content, notification: { ...content.notification, dir: directionOf(language) } as NotificationContent }
}
