import type { Goal, Variant, Winner } from '@peyk/contract'
import { spanMs } from '#parts/variants/span-ms.ts'
import type { Draft } from '../draft/draft.ts'
import { textsOf } from '../draft/draft-languages.ts'
import { type DraftLanguages, type DraftTexts, emptyTexts } from '../draft/draft-texts.ts'
import type { Span, Unit } from '../draft/span.ts'
import { type DraftTest, type DraftWinner, noTest } from './draft-test.ts'
import { ownTexts, withTexts } from './draft-variants.ts'

export interface SentTest {
  variants?: Variant[]
  control?: number
  winner?: Winner
  goal?: Goal
}

/** The draft of a message, which is of what the message itself says, with its test. */
export function withSentTest(draft: Draft, sent: SentTest): Draft {
  const { variants = [], control = 0, winner, goal } = sent
  const own = ownTexts(draft)
  const ids = draft.notification.actions.map(({ id }) => ({ id }))
  const read = variants.map(({ name, share = 100 / variants.length, contents = {}, ...plain }) => {
    const said = textsOf(plain, ids)
    const tags = new Set([...Object.keys(draft.languages), ...Object.keys(contents)])
    const languages: DraftLanguages = Object.fromEntries(
      [...tags].map((tag) => [
        tag,
        over(textsOf(contents[tag] ?? {}, ids), unlessSaid(draft.languages[tag] ?? emptyTexts, said)),
      ]),
    )
    return { name, share, texts: { ...over(said, own), rest: said.rest }, languages }
  })
  const [first] = read
  const all = new Set(read.flatMap(({ languages }) => Object.keys(languages)))
  const test: DraftTest = {
    isOn: first !== undefined,
    variants: read.map((variant, place) =>
      place === 0 ? { ...variant, texts: { ...emptyTexts, rest: variant.texts.rest }, languages: {} } : variant,
    ),
    control,
    goal: goal ? { event: goal.event, within: spanOf(goal.within) ?? noTest.goal.within } : noTest.goal,
    winner: winner ? winnerOf(winner, variants) : noTest.winner,
  }
  if (!first) return { ...draft, test }
  const languages = Object.fromEntries([...all].map((tag) => [tag, first.languages[tag] ?? emptyTexts]))
  return { ...withTexts(draft, first.texts), languages, test }
}

function winnerOf({ by, after, testShare, otherwise }: Winner, variants: readonly Variant[]): DraftWinner {
  const isEvent = by.startsWith('event:')
  return {
    isOn: true,
    by: isEvent ? 'event' : by === 'acted' ? 'acted' : 'opened',
    event: isEvent ? by.slice('event:'.length) : '',
    after: spanOf(after) ?? noTest.winner.after,
    testShare,
    otherwise: Math.max(
      0,
      variants.findIndex(({ name }) => name === otherwise),
    ),
  }
}

const units: Record<string, Unit> = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days' }

function spanOf(span: string | undefined): Span | undefined {
  const unit = units[span?.slice(-1) ?? '']
  return span !== undefined && unit && spanMs(span) > 0 ? { amount: span.slice(0, -1), unit } : undefined
}

type Words = Omit<DraftTexts, 'rest' | 'actions'>

/** Text by text: one's own, or else the one below. */
function over(own: DraftTexts, below: DraftTexts): DraftTexts {
  const words = mapWords(own, (name) => own[name] || below[name])
  const count = Math.max(own.actions.length, below.actions.length)
  const actions = Array.from({ length: count }, (_, place) => own.actions[place] || (below.actions[place] ?? ''))
  return { ...words, actions, rest: Object.keys(own.rest).length > 0 ? own.rest : below.rest }
}

/** What a variant says of its own goes before what the message says in a language. */
function unlessSaid(texts: DraftTexts, said: DraftTexts): DraftTexts {
  return {
    ...mapWords(texts, (name) => (said[name] === '' ? texts[name] : '')),
    actions: texts.actions.map((title, place) => (said.actions[place] ? '' : title)),
    rest: texts.rest,
  }
}

function mapWords({ rest: _rest, actions: _actions, ...words }: DraftTexts, map: (name: keyof Words) => string): Words {
  return Object.fromEntries(Object.keys(words).map((name) => [name, map(name as keyof Words)])) as unknown as Words
}
