/** A text that there is in several languages: in this one, else in the first. */
export function textIn(texts: Readonly<Record<string, string>>, language: string): string {
  return texts[language] ?? Object.values(texts)[0] ?? ''
}
