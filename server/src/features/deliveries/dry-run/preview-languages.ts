import type { Draft } from '../../messages/accept/draft-message.ts'
import { contentFor } from '../../messages/compose/choose-texts.ts'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import { defaultTexts } from '../../messages/compose/language-tags.ts'
import type { CompiledPush } from '../../messages/payloads/compiled-push.ts'
import type { ReachGroup } from './preview-audience.ts'

type LanguageFor = CompiledPush['languageFor']

/** Groups by which of the message’s languages they get, instead of which one they say they have. */
export function groupByTexts(groups: readonly ReachGroup[], languageFor: LanguageFor): ReachGroup[] {
  const merged = new Map<string, ReachGroup>()
  for (const { count, first_no, last_no, ...group } of groups) {
    const reach = { ...group, language: languageFor?.(group.language) ?? null }
    const key = JSON.stringify(reach)
    const known = merged.get(key)
    merged.set(key, {
      ...reach,
      count: count + (known?.count ?? 0),
      first_no: Math.min(first_no, known?.first_no ?? first_no),
      last_no: Math.max(last_no, known?.last_no ?? last_no),
    })
  }
  return [...merged.values()]
}

/** Installations that get it in each language; undefined where the message has no languages. */
export function countByLanguage(
  { body: { contents } }: Pick<Draft, 'body'>,
  groups: readonly ReachGroup[],
): Record<string, number> | undefined {
  if (!contents) return undefined
  const members = groups.filter((group) => group.is_member)
  const countOf = (wanted: string) =>
    members.reduce((sum, { language, count }) => sum + (language === wanted ? count : 0), 0)
  return Object.fromEntries([...Object.keys(contents), defaultTexts].map((language) => [language, countOf(language)]))
}

/** A message as some of its recipients get it; `written` are the languages that they say they have. */
export interface PartOfAudience {
  content: MessageContent
  /** Undefined: all of them. */
  written?: (string | null)[]
}

/** The message in each language, with whom that is for; as it is where it has none. */
export function splitByLanguage(
  { body }: Pick<Draft, 'body'>,
  groups: readonly ReachGroup[],
  languageFor: LanguageFor,
): PartOfAudience[] {
  if (!languageFor) return [{ content: body }]
  const written = new Set(groups.map(({ language }) => language))
  return [...Map.groupBy(written, languageFor)].map(([language, own]) => ({
    content: contentFor(body, { language: language === defaultTexts ? undefined : language }),
    written: own,
  }))
}
