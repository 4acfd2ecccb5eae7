import type { DetailCode, StorySaying } from '@peyk/contract'
import type { StoryWords } from '../../../texts/en/story.ts'
import type { Texts } from '../../../texts/en.ts'
import type { Format } from '../../../texts/format.ts'

export interface Said {
  text: string
  /** Words of somebody else, in their own language. */
  quote?: string
}

/** What a saying tells in the page's language; undefined when a newer service says what is not known here. */
export function saySaying(saying: StorySaying, texts: Texts, format: Format): Said | undefined {
  const { plain, says } = texts.messages.tell
  const words = wordsOf(texts, format)
  if (Object.hasOwn(plain, saying.code)) return { text: plain[saying.code as keyof typeof plain] }
  if (!Object.hasOwn(says, saying.code)) return undefined
  const say = says[saying.code as keyof typeof says] as (saying: StorySaying, words: StoryWords) => string
  return { text: say(saying, words), ...quoteOf(saying) }
}

/** What explains a delivery's state, when the service says it in its own words. */
export function sayDetail(code: DetailCode, provider: string | undefined, texts: Texts): string | undefined {
  const { own } = texts.messages.tell
  if (Object.hasOwn(own, code)) return own[code as keyof typeof own]
  const { why } = texts.send.plan.reasons
  return Object.hasOwn(why, code) ? why[code as keyof typeof why](nameOf(provider, texts)) : undefined
}

function wordsOf(texts: Texts, format: Format): StoryWords {
  return {
    number: format.number,
    moment: format.moment,
    provider: (name) => nameOf(name, texts),
    why: (code, provider) => (code === undefined ? undefined : sayDetail(code, provider, texts)),
  }
}

/** What has a code is said in the page's language and need not be quoted. */
function quoteOf(saying: StorySaying): { quote?: string } {
  if (!('detail' in saying) || !saying.detail) return {}
  if (('why' in saying && saying.why) || ('because' in saying && saying.because)) return {}
  return { quote: saying.detail }
}

function nameOf(provider: string | undefined, texts: Texts): string {
  const names: Record<string, string> = texts.messages.ways
  return provider === undefined ? '' : (names[provider] ?? provider)
}
