import type { Contents, LanguageTexts } from '@peyk/contract'
import { canonicalLanguage } from './language-tags.ts'
import { pick } from './pick.ts'

type SentNotification = NonNullable<LanguageTexts['notification']>

/** What a message says in one language, as it is kept: `text` has become `body`. */
export type LanguageContent = Omit<LanguageTexts, 'notification'> & { notification?: Omit<SentNotification, 'text'> }

const notificationFields = [
  'title',
  'clickUrl',
  'icon',
  'largeIcon',
  'chromeBadge',
  'mediaUrl',
  'mediaType',
  'sound',
  'dir',
] as const
const actionFields = ['id', 'title', 'icon', 'url'] as const

/** By the language’s tag in its usual form, in the order they came. */
export function composeContents(sent: Contents): Record<string, LanguageContent> {
  return Object.fromEntries(
    Object.entries(sent).map(([tag, texts]) => [canonicalLanguage(tag) ?? tag, composeTexts(texts)]),
  )
}

export function composeTexts(sent: LanguageTexts): LanguageContent {
  const composed: LanguageContent = pick(sent, ['content', 'alertText', 'data'])
  if (sent.notification) composed.notification = composeNotification(sent.notification)
  if (sent.fallback) composed.fallback = pick(sent.fallback, ['content'])
  return composed
}

function composeNotification(sent: SentNotification): Omit<SentNotification, 'text'> {
  const composed: Omit<SentNotification, 'text'> = pick(sent, notificationFields)
  const body = sent.body ?? sent.text
  if (body !== undefined) composed.body = body
  if (sent.actions?.length) composed.actions = sent.actions.map((action) => pick(action, actionFields))
  return composed
}
