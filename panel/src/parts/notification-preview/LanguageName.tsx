import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

/** Of one of a message's languages, or of its default texts. */
export function LanguageName({ tag }: { tag: string }) {
  const { languages } = useTexts().send
  const format = useFormat()
  return tag === 'default' ? languages.plain : format.language(tag)
}
