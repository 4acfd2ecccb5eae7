import type { AnswerOf, messageVariants } from '@peyk/contract'
import { spanMs } from '#parts/variants/span-ms.ts'
import type { Texts } from '#texts/en.ts'
import type { Format } from '#texts/format.ts'

export type Results = AnswerOf<typeof messageVariants>
export type VariantResult = Results['variants'][number]
export type Rate = VariantResult['rate']
type Words = Texts['variants']['results']

/** So sure one may be called the best. */
const sure = 0.95

/** What is compared, with the event where it is one. */
export function measureOf(by: string): { kind: 'opened' | 'acted' | 'event'; event: string } {
  if (by.startsWith('event:')) return { kind: 'event', event: by.slice('event:'.length) }
  return { kind: by === 'acted' ? 'acted' : 'opened', event: '' }
}

/** Whether there is only a control group to compare with. */
export function isPlain({ variants }: Results): boolean {
  return variants.length === 1
}

/** The variant to highlight: the chosen winner, or until one is chosen, the best beyond reasonable doubt. */
export function findBest({ variants, notEnoughData, winner }: Results): VariantResult | undefined {
  if (winner?.state === 'decided') return variants.find(({ name }) => name === winner.variant)
  if (notEnoughData || variants.length < 2) return undefined
  return variants.find(({ chanceOfBest = 0 }) => chanceOfBest >= sure)
}

/** The result in one line. A chosen winner stays the result, whatever the numbers become later. */
export function sayAnswer(results: Results, words: Words, format: Format): string {
  const { notEnoughData, leastUsers, variants, winner } = results
  if (winner?.state === 'decided') return words.decided[winner.why ?? 'best'](winner.variant ?? winner.otherwise)
  if (winner?.state === 'off') return words.off
  if (isPlain(results)) {
    const lift = variants[0]?.lift
    if (!lift) return words.titleControl
    return lift.from > 0 || lift.to < 0 ? words.lifted(sayChange(lift.lift, format)) : words.notLifted
  }
  if (notEnoughData) return words.notEnough(format.number(leastUsers))
  const best = findBest(results)
  return best ? words.best(best.name, sayChance(best.chanceOfBest ?? 0, format)) : words.open
}

/** Nothing of this kind is ever certain. */
export function sayChance(chance: number, format: Format): string {
  if (chance > 0.999) return apart(`>${format.percent(0.999)}`)
  if (chance < 0.001) return apart(`<${format.percent(0.001)}`)
  return format.percent(chance)
}

/** With its sign. */
export function sayChange(change: number, format: Format): string {
  return apart(`${change < 0 ? '−' : '+'}${format.percent(Math.abs(change))}`)
}

/** A sign stays before its number, whatever the direction of the sentence. */
function apart(text: string): string {
  return `\u2066${text}\u2069`
}

export function sayRate({ of, reached }: Rate, by: string, words: Words, format: Format): string {
  const { kind, event } = measureOf(by)
  return words.rate[kind](format.number(reached), format.number(of), event)
}

export function sayLift({ lift, liftMissing }: VariantResult, least: number, words: Words, format: Format) {
  if (lift) return words.lift(...([lift.lift, lift.from, lift.to].map((each) => sayChange(each, format)) as Three))
  if (liftMissing === 'noEvents') return words.liftMissing.noEvents
  return liftMissing === undefined ? undefined : words.liftMissing.notEnoughData(format.number(least))
}

type Three = [string, string, string]

/** Why no winner can be chosen now. */
export type Hold = 'paused' | 'stopped' | undefined

/** The state of the test, and how the winner was chosen. */
export function sayWinner(
  { winner, leastUsers }: Results,
  { hold, now }: { hold: Hold; now: number },
  words: Words,
  format: Format,
): string | undefined {
  if (!winner) return undefined
  const { state, decideAt, decidedAt = now, variant = winner.otherwise, why = 'best' } = winner
  const { kind, event } = measureOf(winner.by)
  switch (state) {
    case 'testing':
      return words.state.testing(format.percent(winner.testShare / 100), saySpan(winner.after, format))
    case 'waiting':
      if (hold) return words.state.held[hold]
      if (decideAt === undefined || decideAt <= now) return words.state.deciding
      return words.state.waiting(format.moment(decideAt), format.ago(decideAt))
    case 'off':
      return words.state.off
    case 'decided':
      if (why === 'tie') return words.state.tie(variant)
      if (why === 'notEnoughData') return words.state.notEnoughData(variant, format.number(leastUsers))
      return words.state.best[kind](format.moment(decidedAt), event)
  }
}

/** "4h" as people say it. */
export function saySpan(span: string, format: Format): string {
  return format.duration(spanMs(span) / 1000)
}
