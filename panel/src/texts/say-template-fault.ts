import type { TemplateFault } from '@peyk/contract'
import type { templateFaultsEn } from './en/send/template-faults.ts'

/** In words, if they are known here: a newer service may have other codes. */
export function sayTemplateFault(reason: unknown, words: typeof templateFaultsEn): string | undefined {
  if (typeof reason !== 'object' || reason === null) return undefined
  const { code, part = '', suggestion = '' } = reason as TemplateFault
  return Object.hasOwn(words, code) ? words[code](part, suggestion) : undefined
}
