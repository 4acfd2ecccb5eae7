import type { Draft } from '../../messages/accept/draft-message.ts'
import { allLanguages, chooseTexts, contentFor } from '../../messages/compose/choose-texts.ts'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import { defaultTexts } from '../../messages/compose/language-tags.ts'
import type { CompiledPush } from '../../messages/payloads/compiled-push.ts'
import type { ReachGroup } from './preview-audience.ts'

type LanguageFor = CompiledPush['languageFor']

/** Groups by which of the message’s languages they get, instead of which one they say they have. */
export function groupByTexts(groups: readonly ReachGroup[], languageFor: LanguageFor): ReachGroup[] {
  const merged = new Map<string, ReachGroup>()
  for (const { count, first_no, last_no, ...group } of groups) {
    const { place } = group
    const variant = place?.kind === 'tested' ? place.variant : undefined
    const isLeftOut = place?.kind === 'control'
    const reach = { ...group, language: isLeftOut ? null : (languageFor?.(group.language, variant) ?? null) }
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
  { body }: Pick<Draft, 'body'>,
  groups: readonly ReachGroup[],
): Record<string, number> | undefined {
  const languages = allLanguages(body)
  if (languages.length === 0) return undefined
  const members = groups.filter((group) => group.is_member)
  const countOf = (wanted: string) =>
    members.reduce((sum, { language, count }) => sum + (language === wanted ? count : 0), 0)
  return Object.fromEntries([...languages, defaultTexts].map((language) => [language, countOf(language)]))
}

/** A message as some of its recipients get it; `written` are the languages that they say they have. */
export interface PartOfAudience {
  /** One for each variant, where it has several. */
  contents: MessageContent[]
  /** Undefined: all of them. */
  written?: (string | null)[]
}

/** The message in each language, with whom that is for; as it is where it has none. */
export function splitByLanguage(
  { body }: Pick<Draft, 'body'>,
  groups: readonly ReachGroup[],
  languageFor: LanguageFor,
): PartOfAudience[] {
  const variants = body.variants?.map(({ name }) => name) ?? [undefined]
  const worded = (language: string | null) =>
    variants.map((variant) => contentFor(body, chooseTexts(body, language, variant)))
  if (!languageFor) return [{ contents: worded(null) }]
  const written = new Set(groups.map(({ language }) => language))
  const languagesFor = (language: string | null) => variants.map((each) => languageFor(language, each)).join()
  return [...Map.groupBy(written, languagesFor).values()].map((own) => ({
    contents: worded(own[0] ?? null),
    written: own,
  }))
}
