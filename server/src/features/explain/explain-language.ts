import type { TimelineEntry } from '@peyk/contract'
import { allLanguages, chooseTexts } from '../messages/compose/choose-texts.ts'
import { defaultTexts } from '../messages/compose/language-tags.ts'
import { entry, type InstallationFacts, type MessageFacts } from './facts.ts'

/** In which of its languages the installation got the message, or would get it, and why; undefined where it has none. */
export function explainLanguage(
  { row: { body } }: Pick<MessageFacts, 'row'>,
  { language, delivery }: Pick<InstallationFacts, 'language' | 'delivery'>,
): TimelineEntry | undefined {
  if (allLanguages(body).length === 0) return undefined
  const own = language === null ? {} : { own: language }
  const now = chooseTexts(body, language, delivery?.variant ?? undefined).language
  const then = delivery?.language ?? null
  if (then !== null && then !== (now ?? defaultTexts)) {
    return entry('language', { code: 'language-then', language: then, ...own })
  }
  return entry(
    'language',
    now === undefined ? { code: 'plain-texts', ...own } : { code: 'language', language: now, ...own },
  )
}
