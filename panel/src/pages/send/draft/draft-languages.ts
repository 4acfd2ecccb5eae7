import type { ComposedMessage, Contents, LanguageTexts } from '@peyk/contract'
import { directionOfLanguage } from '#parts/notification-preview/in-language.ts'
import type { Draft } from './draft.ts'
import { type DraftLanguages, type DraftTexts, emptyTexts } from './draft-texts.ts'

type Action = NonNullable<NonNullable<LanguageTexts['notification']>['actions']>[number]

/** Undefined where no language says anything. */
export function composeContents(languages: DraftLanguages, message: ComposedMessage): Contents | undefined {
  const said = Object.entries(languages).flatMap(([language, texts]) => {
    const composed = composeTexts(texts, message)
    return Object.keys(composed).length > 0 ? [[language, composed] as const] : []
  })
  return said.length > 0 ? Object.fromEntries(said) : undefined
}

/** `message` is what they are for: only its own parts can differ. */
export function composeTexts(texts: DraftTexts, message: ComposedMessage): LanguageTexts {
  const { actions: _kept, ...others } = texts.rest.notification ?? {}
  const notification: NonNullable<LanguageTexts['notification']> = others
  for (const name of ['title', 'body'] as const) if (isSaid(texts[name])) notification[name] = texts[name]
  for (const name of ['clickUrl', 'mediaUrl'] as const) if (isSaid(texts[name])) notification[name] = texts[name].trim()
  const actions = composeActions(texts, message)
  if (actions.length > 0) notification.actions = actions
  const composed: LanguageTexts = texts.rest.data ? { data: texts.rest.data } : {}
  if (message.product === 'message' && isSaid(texts.content)) composed.content = texts.content
  if (isSaid(texts.alertText)) composed.alertText = texts.alertText
  if (Object.keys(notification).length > 0) composed.notification = notification
  if (message.fallback && isSaid(texts.sms)) composed.fallback = { content: texts.sms }
  return composed
}

function isSaid(text: string): boolean {
  return text.trim() !== ''
}

/** Of buttons that the message has. */
function composeActions({ actions: titles, rest }: DraftTexts, { notification }: ComposedMessage): Action[] {
  const kept = rest.notification?.actions ?? []
  return (notification?.actions ?? []).flatMap(({ id }, place) => {
    const title = titles[place] ?? ''
    const own = { ...kept.find((action) => action.id === id), ...(isSaid(title) && { title }) }
    return id !== undefined && Object.keys(own).length > 0 ? [{ ...own, id }] : []
  })
}

/** What a message says by language, as it is typed. */
export function languagesOf(contents: Contents | undefined, actions: readonly Action[] = []): DraftLanguages {
  return Object.fromEntries(
    Object.entries(contents ?? {}).map(([language, texts]) => [language, textsOf(texts, actions)]),
  )
}

/** What is said in other words, as it is typed. `actions` are the message's own. */
export function textsOf(
  { content = '', alertText = '', data, notification = {}, fallback }: LanguageTexts,
  actions: readonly Action[],
): DraftTexts {
  const { title = '', body, text, clickUrl = '', mediaUrl = '', actions: own = [], ...others } = notification
  const inPlace = actions.map(
    ({ id }, place) => own.find((each) => each.id !== undefined && each.id === id) ?? unnamed(own[place]),
  )
  const kept = inPlace.flatMap((action, place) => {
    const { title: _typed, id: _own, ...more } = action ?? {}
    const { id } = actions[place] ?? {}
    return id !== undefined && Object.keys(more).length > 0 ? [{ id, ...more }] : []
  })
  const rest: LanguageTexts = {
    ...(data && { data }),
    ...((Object.keys(others).length > 0 || kept.length > 0) && {
      notification: { ...others, ...(kept.length > 0 && { actions: kept }) },
    }),
  }
  return {
    ...{ content, alertText, title, body: body ?? text ?? '', clickUrl, mediaUrl, rest },
    actions: inPlace.map((action) => action?.title ?? ''),
    sms: fallback?.content ?? '',
  }
}

function unnamed(action: Action | undefined): Action | undefined {
  return action?.id === undefined ? action : undefined
}

/** When a button of the message is removed. */
export function withoutAction(languages: DraftLanguages, removed: number): DraftLanguages {
  return Object.fromEntries(
    Object.entries(languages).map(([language, texts]) => {
      return [language, { ...texts, actions: texts.actions.filter((_, place) => place !== removed) }]
    }),
  )
}

/** The message as it is read in a language. */
export function draftIn(draft: Draft, language: string | undefined): Draft {
  const texts = language === undefined ? undefined : draft.languages[language]
  if (language === undefined || !texts) return draft
  const { notification, fallback } = draft
  const either = (own: string, plain: string) => (isSaid(own) ? own : plain)
  const hasTexts = [texts.content, texts.alertText, texts.title, texts.body].some(isSaid)
  return {
    ...draft,
    content: either(texts.content, draft.content),
    alertText: either(texts.alertText, draft.alertText),
    notification: {
      ...notification,
      title: either(texts.title, notification.title),
      body: either(texts.body, notification.body),
      clickUrl: either(texts.clickUrl, notification.clickUrl),
      mediaUrl: either(texts.mediaUrl, notification.mediaUrl),
      dir: texts.rest.notification?.dir ?? (hasTexts ? directionOfLanguage(language) : notification.dir),
      actions: notification.actions.map((action, place) => ({
        ...action,
        title: either(texts.actions[place] ?? '', action.title),
      })),
    },
    fallback: { ...fallback, content: either(texts.sms, fallback.content) },
  }
}

/** How many of the texts that people read have none in the language. */
export function countMissing(draft: Draft, language: string): { missing: number; all: number } {
  const texts = draft.languages[language] ?? emptyTexts
  const { notification, fallback } = draft
  const pairs: [plain: string, own: string][] = [
    [draft.product === 'message' ? draft.content : '', texts.content],
    [draft.alertText, texts.alertText],
    [notification.title, texts.title],
    [notification.body, texts.body],
    ...notification.actions.map(({ title }, place): [string, string] => [title, texts.actions[place] ?? '']),
    [fallback.isOn && draft.who.kind === 'users' ? fallback.content : '', texts.sms],
  ]
  const needed = pairs.filter(([plain]) => isSaid(plain))
  return { all: needed.length, missing: needed.filter(([, own]) => !isSaid(own)).length }
}
