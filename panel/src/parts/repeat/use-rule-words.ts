import { useFormat, useLanguage, useTexts } from '../../texts/LanguageProvider.tsx'
import { describeRule } from './describe-rule.ts'

/** Says a rule in words; one that is not plain is only called that. */
export function useRuleWords(): (repeat: { rule: string; zone: string }, start: number | { local: string }) => string {
  const { words } = useTexts().series
  const { language } = useLanguage()
  const format = useFormat()
  const locale = language === 'fa' ? 'fa-IR' : 'en'
  return (repeat, start) => describeRule(repeat, start, { words, format, locale }) ?? words.own
}
