import { LRUCache } from 'lru-cache'

/** [ADR-0186] Under this name the plain texts of a message are counted. No language has it. */
export const defaultTexts = 'default'

const longestTag = 64
/** `zh_TW_#Hant`, as Java writes a locale. */
const javaScript = /^([a-z]{2,3})_([a-z]{2}|\d{3})?_#([a-z]{4})\b.*$/i
/** Longer ones, which the syntax would allow, do not exist; `und` has none. */
const isLanguage = /^[a-z]{2,3}$/
const noLanguage = new Set(['und', 'mul', 'mis', 'zxx'])
const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Mend', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

/** BCP 47 as devices write it: also `fa_IR`, `fa_IR.UTF-8`, and the codes of before. Undefined when it is no such tag. */
function readLocale(written: string): Intl.Locale | undefined {
  if (written.length > longestTag) return undefined
  const tag = written
    .trim()
    .replace(/[.@].*$/, '')
    .replace(javaScript, (_, language, region = '', script) => [language, script, region].filter(Boolean).join('-'))
    .replaceAll('_', '-')
  try {
    const locale = new Intl.Locale(tag)
    return isLanguage.test(locale.language) && !noLanguage.has(locale.language) ? locale : undefined
  } catch {
    return undefined
  }
}

const named = (type: 'language' | 'script' | 'region') => new Intl.DisplayNames(['en'], { type, fallback: 'none' })
const names = { language: named('language'), script: named('script'), region: named('region') }

/**
 * The tag of a language that a message may be written in, as BCP 47 writes it; undefined when it is none. Languages,
 * scripts and regions have to be known to Unicode’s CLDR: no device asks for another.
 */
export function canonicalLanguage(written: string): string | undefined {
  const locale = readLocale(written)
  if (!locale || locale.toString() !== locale.baseName) return undefined
  const { language, script, region } = locale
  const isKnown =
    names.language.of(language) !== undefined &&
    (script === undefined || names.script.of(script) !== undefined) &&
    (region === undefined || names.region.of(region) !== undefined)
  return isKnown ? locale.baseName : undefined
}

/**
 * The languages that suit who asks for this one, the best first: RFC 4647’s lookup (`fa-IR`, `fa`), where a script that
 * goes without saying counts as said: `zh-TW` is `zh-Hant-TW`, and the other way round.
 */
function suitableLanguages(written: string): string[] {
  const locale = readLocale(written)
  if (!locale) return []
  const { language, script, region } = locale
  const usual = new Intl.Locale(join(language, region)).maximize().script
  const isUsual = script === undefined || script === usual
  return [
    locale.baseName,
    join(language, script, region),
    ...(isUsual ? [join(language, region), join(language, usual, region)] : []),
    join(language, script ?? usual),
    language,
  ]
}

function join(...subtags: (string | undefined)[]): string {
  return subtags.filter((subtag) => subtag !== undefined).join('-')
}

const suitable = new LRUCache<string, string[]>({ max: 1_000, memoMethod: suitableLanguages })

/** Which of these languages an installation gets that says it has this one; undefined for none of them. */
export function matchLanguage(written: string | null | undefined, offered: readonly string[]): string | undefined {
  return written ? suitable.memo(written).find((tag) => offered.includes(tag)) : undefined
}

export function directionOf(language: string): 'rtl' | 'ltr' {
  return rightToLeft.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
}
