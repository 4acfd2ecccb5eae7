import type { Contents, Message, Variant } from '@peyk/contract'

interface Said {
  data?: Record<string, unknown> | undefined
  fallback?: { content: string } | undefined
}

/** The variant or language of a text; the plain text has neither. */
export interface TextOf {
  variant?: string
  language?: string
}

interface BesideNotification {
  sms: (TextOf & { text: string })[]
  data: (TextOf & { value: Record<string, unknown> })[]
}

type Texts = Pick<Message, 'fallback' | 'contents' | 'variants'> & { data?: Record<string, unknown> | undefined }

/** Texts of the SMS and data, in all languages and variants. No preview of a notification shows them. */
export function besideNotification({ contents, variants = [], ...plain }: Texts): BesideNotification {
  const all: [TextOf, Said][] = [[{}, plain], ...inLanguages({}, contents)]
  for (const variant of variants)
    all.push([{ variant: variant.name }, variant], ...inLanguages({ variant: variant.name }, variant.contents))
  return {
    sms: all.flatMap(([of, { fallback }]) => (fallback ? [{ ...of, text: fallback.content }] : [])),
    data: all.flatMap(([of, { data }]) => (data && Object.keys(data).length > 0 ? [{ ...of, value: data }] : [])),
  }
}

function inLanguages(of: TextOf, contents: Contents | Variant['contents'] = {}): [TextOf, Said][] {
  return Object.entries(contents).map(([language, texts]) => [{ ...of, language }, texts])
}
