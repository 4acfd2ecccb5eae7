import type { Contents, Variant } from '@peyk/contract'
import { inLanguage, inWords } from './in-language.ts'
import type { SentTexts } from './shown-notification.ts'

export type TestedTexts = SentTexts & { contents?: Contents; variants?: Variant[] }

/** A message as it is read in one of its variants: the variant's language, the variant, the message's language, the message. */
export function inVariant(message: TestedTexts, name: string | undefined, language: string | undefined): SentTexts {
  const { variants, ...plain } = message
  const variant = variants?.find((each) => each.name === name)
  const read = inLanguage(plain, language)
  if (!variant) return read
  const { contents } = variant
  return inLanguage({ ...inWords(read, variant), ...(contents && { contents }) }, language)
}

/** The languages that a message has texts in, also those of its variants. */
export function languagesIn({ contents, variants = [] }: TestedTexts): string[] {
  return [
    ...new Set([contents, ...variants.map((variant) => variant.contents)].flatMap((each) => Object.keys(each ?? {}))),
  ]
}
