import type { DetailCode, TimelineFact } from '@peyk/contract'
import { isKeyOf } from '#parts/is-key-of.ts'
import {
  describeOwn,
  describeSegment,
  fieldLabel,
  type Words as SegmentWords,
} from '#parts/segment-builder/describe-segment.ts'
import { readSentPart } from '#parts/segment-builder/segment-draft.ts'
import type { FactWords } from '#texts/en/timeline.ts'
import type { Texts } from '#texts/en.ts'
import type { Format } from '#texts/format.ts'

export interface Said {
  text: string
  /** Words of somebody else, in their own language. */
  quote?: string
}

/** What a saying tells in the page's language; undefined when a newer service says what is not known here. */
export function renderFact(
  fact: TimelineFact,
  texts: Texts,
  format: Format,
  buttons: ReadonlyMap<string, string>,
  /** Undefined until it is known what segments of this app are made of. */
  segments?: SegmentWords,
): Said | undefined {
  const { plain, says } = texts.messages.tell
  const words = wordsOf(texts, format, buttons, segments)
  if (Object.hasOwn(plain, fact.code)) return { text: plain[fact.code as keyof typeof plain] }
  if (!Object.hasOwn(says, fact.code)) return undefined
  const say = says[fact.code as keyof typeof says] as (fact: TimelineFact, words: FactWords) => string
  return { text: say(fact, words), ...quoteOf(fact) }
}

/** What explains a delivery's state, when the service says it in its own words. */
export function sayDetail(code: DetailCode, provider: string | undefined, texts: Texts): string | undefined {
  const { own } = texts.messages.tell
  if (Object.hasOwn(own, code)) return own[code as keyof typeof own]
  const { why } = texts.send.plan.reasons
  return Object.hasOwn(why, code) ? why[code as keyof typeof why](nameOf(provider, texts)) : undefined
}

function wordsOf(
  texts: Texts,
  format: Format,
  buttons: ReadonlyMap<string, string>,
  segments: SegmentWords | undefined,
): FactWords {
  return {
    number: format.number,
    moment: format.moment,
    provider: (name) => nameOf(name, texts),
    button: (id) => buttons.get(id) ?? id,
    notReached: (provider, fault) => {
      const { faults, notReached } = texts.reach
      if (fault === undefined || !isKeyOf(faults, fault)) return undefined
      return notReached(nameOf(provider, texts), faults[fault])
    },
    rule: (sent) => {
      const draft = sent === undefined ? undefined : readSentPart(sent)
      return draft && segments ? describeSegment(draft, segments) : undefined
    },
    own: (name, json) =>
      segments
        ? { name: fieldLabel(name, segments), value: describeOwn(name, json, segments) }
        : { name, value: json ?? undefined },
    why: (code, provider) => (code === undefined ? undefined : sayDetail(code, provider, texts)),
  }
}

/** What has a code is said in the page's language and need not be quoted. */
function quoteOf(fact: TimelineFact): { quote?: string } {
  if (!('detail' in fact) || !fact.detail) return {}
  if (('why' in fact && fact.why) || ('because' in fact && fact.because) || ('fault' in fact && fact.fault)) return {}
  return { quote: fact.detail }
}

function nameOf(provider: string | undefined, texts: Texts): string {
  const names: Record<string, string> = texts.messages.ways
  return provider === undefined ? '' : (names[provider] ?? provider)
}
