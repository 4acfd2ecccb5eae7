import {
  ActionTexts,
  type AnyNotification,
  type Contents,
  LanguageTexts,
  NotificationTexts,
  show,
} from '@peyk/contract'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { canonicalLanguage } from '../compose/language-tags.ts'

/** What of a message its texts in other wordings have to fit. */
export type Worded = Pick<AnyNotification, 'notification' | 'fallback'>

/**
 * [ADR-0186] Refuses languages that no device has, and texts that the message has no place for. `path`: where they
 * stand.
 */
export function checkContents(sent: Worded & { contents?: Contents | undefined }, path = 'contents'): void {
  if (!sent.contents) return
  const languages = Object.entries(sent.contents)
  if (languages.length === 0) throw fault(path, ' is empty: expected at least one language')
  if (languages.length > limits.languagesPerMessage) {
    const most = limits.languagesPerMessage
    throw new RequestError('too-large', `"${path}" has ${languages.length} languages; at most ${most} are allowed.`, {
      details: { field: path },
    })
  }
  const tags = new Map<string, string>()
  for (const [written, texts] of languages) {
    const field = `${path}.${written.slice(0, longestShown)}`
    const tag = canonicalLanguage(written)
    if (tag === undefined) {
      throw fault(field, `: expected a language such as "fa", "fa-IR" or "zh-Hant", got ${show(written)}`)
    }
    const other = tags.get(tag)
    if (other !== undefined) throw fault(field, ` is the same language as "${path}.${other}"`)
    tags.set(tag, written)
    checkTexts(sent, texts, { field, by: 'language' })
  }
}

const longestShown = 40

/** `by`: what makes them differ. */
export function checkTexts(
  { notification, fallback }: Worded,
  texts: LanguageTexts,
  { field, by }: { field: string; by: 'language' | 'variant' },
): void {
  const { notification: own, ...others } = texts
  checkKeys(texts, LanguageTexts, field, by)
  checkKeys(own, NotificationTexts, `${field}.notification`, by)
  for (const [place, action] of (own?.actions ?? []).entries())
    checkKeys(action, ActionTexts, `${field}.notification.actions[${place}]`, by)
  if (by === 'language' && Object.keys(others).length === 0 && Object.keys(own ?? {}).length === 0)
    throw fault(field, ' has no text')
  if (own && !notification) throw hasNone(`${field}.notification`, '"notification"')
  if (texts.fallback && !fallback) throw hasNone(`${field}.fallback`, '"fallback"')
  const actions = notification?.actions ?? []
  for (const [place, { id }] of (own?.actions ?? []).entries()) {
    const isThere = id === undefined ? place < actions.length : actions.some((action) => action.id === id)
    if (isThere) continue
    const which = id === undefined ? 'action in this place' : `action with the id ${show(id)}`
    throw hasNone(`${field}.notification.actions[${place}]`, which)
  }
}

/** What is left out silently elsewhere would here be taken for granted. */
function checkKeys(own: object | undefined, { properties }: { properties: object }, field: string, by: string): void {
  const unknown = Object.keys(own ?? {}).find((key) => !Object.hasOwn(properties, key))
  if (unknown !== undefined) throw fault(`${field}.${unknown.slice(0, longestShown)}`, ` cannot differ by ${by}`)
}

function hasNone(field: string, what: string): RequestError {
  return fault(field, `: the message itself has no ${what}, which is what others get`)
}

export function fault(field: string, what: string): RequestError {
  return new RequestError('invalid-request', `"${field}"${what}.`, { details: { field } })
}
