/** Those that are offered first; any other is found by its tag. */
export const usualLanguages = [
  ...['fa', 'en', 'ar', 'tr', 'ckb', 'ku', 'az', 'ur', 'ps', 'he', 'de', 'fr', 'es', 'it', 'pt', 'pt-BR', 'nl'],
  ...['ru', 'uk', 'pl', 'cs', 'ro', 'hu', 'el', 'sv', 'da', 'nb', 'fi', 'bg', 'sr', 'hr', 'hy', 'ka', 'kk', 'uz'],
  ...['tg', 'hi', 'bn', 'pa', 'ta', 'te', 'id', 'ms', 'fil', 'vi', 'th', 'ko', 'ja', 'zh-Hans', 'zh-Hant', 'sw'],
]

/** The tag as the service writes it; undefined when it is no language that a device may have. */
export function readLanguage(typed: string): string | undefined {
  const text = typed.trim().replaceAll('_', '-')
  if (text === '') return undefined
  try {
    const locale = new Intl.Locale(text)
    const isKnown =
      new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(locale.language) !== undefined
    return isKnown && locale.toString() === locale.baseName ? locale.baseName : undefined
  } catch {
    return undefined
  }
}
