import { ActionTexts, type AnyNotification, LanguageTexts, NotificationTexts, show } from '@peyk/contract'
import { limits } from '../../../base/config.ts'
import { RequestError } from '../../../base/errors.ts'
import { canonicalLanguage } from '../compose/language-tags.ts'

/** [choice 186] Refuses languages that no device has, and texts that the message has no place for. */
export function checkContents(sent: Pick<AnyNotification, 'contents' | 'notification' | 'fallback'>): void {
  if (!sent.contents) return
  const languages = Object.entries(sent.contents)
  if (languages.length === 0) throw fault('contents', ' is empty: expected at least one language')
  if (languages.length > limits.languagesPerMessage) {
    const most = limits.languagesPerMessage
    throw new RequestError('too-large', `"contents" has ${languages.length} languages; at most ${most} are allowed.`, {
      details: { field: 'contents' },
    })
  }
  const tags = new Map<string, string>()
  for (const [written, texts] of languages) {
    const field = `contents.${written.slice(0, longestShown)}`
    const tag = canonicalLanguage(written)
    if (tag === undefined) {
      throw fault(field, `: expected a language such as "fa", "fa-IR" or "zh-Hant", got ${show(written)}`)
    }
    const other = tags.get(tag)
    if (other !== undefined) throw fault(field, ` is the same language as "contents.${other}"`)
    tags.set(tag, written)
    checkTexts(sent, texts, field)
  }
}

const longestShown = 40

function checkTexts(
  { notification, fallback }: Pick<AnyNotification, 'notification' | 'fallback'>,
  texts: LanguageTexts,
  field: string,
): void {
  const { notification: own, ...others } = texts
  checkKeys(texts, LanguageTexts, field)
  checkKeys(own, NotificationTexts, `${field}.notification`)
  for (const [place, action] of (own?.actions ?? []).entries())
    checkKeys(action, ActionTexts, `${field}.notification.actions[${place}]`)
  if (Object.keys(others).length === 0 && Object.keys(own ?? {}).length === 0) throw fault(field, ' has no text')
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
function checkKeys(own: object | undefined, { properties }: { properties: object }, field: string): void {
  const unknown = Object.keys(own ?? {}).find((key) => !Object.hasOwn(properties, key))
  if (unknown !== undefined) throw fault(`${field}.${unknown.slice(0, longestShown)}`, ' cannot differ by language')
}

function hasNone(field: string, what: string): RequestError {
  return fault(field, `: the message itself has no ${what}, which is what others get`)
}

function fault(field: string, what: string): RequestError {
  return new RequestError('invalid-request', `"${field}"${what}.`, { details: { field } })
}
