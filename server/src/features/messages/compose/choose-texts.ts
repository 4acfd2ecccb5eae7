import type { LanguageContent } from './compose-contents.ts'
import type { MessageContent, NotificationContent } from './compose-message.ts'
import { directionOf, matchLanguage } from './language-tags.ts'

type Action = NonNullable<NotificationContent['actions']>[number]
type Wording = Pick<MessageContent, 'contents' | 'variants'>

/** Which of a message’s texts somebody gets. */
export interface TextChoice {
  /** One of the languages of `contents`; undefined for the plain texts. */
  language: string | undefined
  /** The name of one of the variants; undefined where the message has none. */
  variant?: string | undefined
}

/** [ADR-0186] `written`: the language of the installation, as it says. */
export function chooseTexts(content: Wording, written: string | null | undefined, variant?: string): TextChoice {
  return { language: matchLanguage(written, languagesOf(content, variant)), variant }
}

/** The languages that a variant, or the message without one, has texts in: its own and the message’s. */
export function languagesOf({ contents, variants }: Wording, variant: string | undefined): string[] {
  const own = variants?.find(({ name }) => name === variant)?.contents
  return [...new Set([...Object.keys(contents ?? {}), ...Object.keys(own ?? {})])]
}

/** Every language that somebody may get. */
export function allLanguages(content: Wording): string[] {
  const all = [undefined, ...(content.variants ?? []).map(({ name }) => name)]
  return [...new Set(all.flatMap((variant) => languagesOf(content, variant)))]
}

/**
 * The message as somebody gets it: each text from the first of the chosen layers that has it (the variant in the language,
 * the variant, the message in the language), else the plain one. The message itself is left as it is.
 */
export function contentFor(content: MessageContent, { language, variant }: TextChoice): MessageContent {
  const { contents, variants, control: _control, winner: _winner, goal: _goal, ...plain } = content
  const own = variant === undefined ? undefined : variants?.find(({ name }) => name === variant)
  const inMessage = layLanguage(plain, contents, language)
  if (!own) return inMessage
  return layLanguage(layVariant(inMessage, own, plain), own.contents, language)
}

function layLanguage(
  under: MessageContent,
  contents: MessageContent['contents'],
  language: string | undefined,
): MessageContent {
  if (!contents || language === undefined) return under
  const found = contents[language] ? language : matchLanguage(language, Object.keys(contents))
  const own = found === undefined ? undefined : contents[found]
  if (found === undefined || !own) return under
  return withDirection(overlay(under, own), own, directionOf(found))
}

/** [ADR-0187] The texts of a variant have the direction of the plain ones, which they stand for. */
function layVariant(under: MessageContent, own: LanguageContent, plain: MessageContent): MessageContent {
  const laid = overlay(under, own)
  const dir = plain.notification?.dir
  return laid.notification?.dir === dir ? laid : withDirection(laid, own, dir)
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
 * [ADR-0187] A `dir` belongs to the texts that it stands beside: that of the layer wins, and that of the message is
 * for its plain texts. Where there is no notification, one is drawn from the message’s text.
 */
function withDirection(content: MessageContent, own: LanguageContent, dir: string | undefined): MessageContent {
  const { title, body, dir: said } = own.notification ?? {}
  if (said !== undefined || [own.content, own.alertText, title, body].every((text) => text === undefined))
    return content
  const { dir: _under, ...notification } = (content.notification ?? {}) as NotificationContent
  return { ...content, notification: { ...notification, ...(dir !== undefined && { dir }) } as NotificationContent }
}
