import type { Texts } from '#texts/en.ts'
import type { Format } from '#texts/format.ts'
import type { Outcome } from './judge-outcome.ts'

/** With fewer devices a percentage says less than the numbers. */
const fewest = 20

export interface SaidOutcome {
  reach: string
  /** How many opened it. Undefined: there is nothing to say. */
  opens: string | undefined
  against: string | undefined
}

/** Did it work? In the clauses of one sentence. */
export function sayOutcome(outcome: Outcome, texts: Pick<Texts, 'messages'>, format: Format): SaidOutcome {
  const { verdict, statuses } = texts.messages
  const { status, isTest, against } = outcome
  const reach =
    outcome.total === 0
      ? [verdict.nobody]
      : outcome.total === 1
        ? [reachOfOne(outcome, texts.messages)]
        : reachOfMany(outcome, verdict, format)
  const before = [
    ...(isTest ? [verdict.test] : []),
    ...(isDone(outcome) || status === 'nobody' ? [] : [statuses[status]]),
  ]
  const words = reach.join(verdict.between)
  return {
    reach: capital(before.length === 0 ? words : `${before.join(verdict.comma)}: ${words}`),
    opens: sayOpens(outcome, verdict, format),
    against: against && verdict.against[against.side](format.number(Math.round(against.points * 10) / 10)),
  }
}

type Words = Texts['messages']['verdict']

const isDone = ({ status }: Outcome) => status === 'done' || status === 'tooLate'
const isCancelled = ({ status }: Outcome) => status === 'cancelled' || status === 'recalled'

function reachOfOne(outcome: Outcome, { verdict: { one }, reasons }: Texts['messages']): string {
  const { sent, delivered, opened, reason, isLive, isOpenable, isYoung } = outcome
  if (sent === 0 && reason === undefined) return one.waiting
  if (sent === 0) return isLive && isDone(outcome) ? one.closed : one.missed(reasons[reason as 'unknown'].title)
  if (delivered === 0) return isYoung ? one.sent : one.unconfirmed
  if (opened > 0) return one.opened
  if (!isOpenable) return one.delivered
  return isYoung ? one.notOpened : one.neverOpened
}

function reachOfMany(outcome: Outcome, words: Words, format: Format): string[] {
  const { total, queued, sent, delivered, isLive, isYoung, seconds } = outcome
  const all = format.number(total)
  if (sent === 0) {
    if (queued > 0) return [words.nothingYet(all)]
    if (!isDone(outcome)) return [isCancelled(outcome) ? words.nothing(all) : words.nothingYet(all)]
    return [isLive ? words.noneOpen(all) : words.noneReached(all)]
  }
  const share = sent < fewest ? format.number(delivered) : format.percent(delivered / sent)
  const took = seconds === undefined ? undefined : format.duration(seconds)
  if (sent === total && delivered > 0 && isDone(outcome)) {
    const delivery = words.delivered(share, all)
    return [took === undefined ? delivery : words.sentIn(delivery, took)]
  }
  const isGoing = !isDone(outcome) && !isCancelled(outcome)
  const some =
    sent === total
      ? words.toAll(all)
      : isLive
        ? words.toOpen(format.number(sent), all)
        : words.toSome(format.number(sent), all)
  const confirmed = delivered > 0 ? words.ofThese(share) : isYoung ? words.noneYet : words.none
  const sending = took === undefined ? some : words.within(some, took)
  return [isGoing ? words.soFar(sending) : sending, confirmed]
}

function sayOpens(outcome: Outcome, words: Words, format: Format): string | undefined {
  const { total, delivered, opened, isOpenable, isYoung } = outcome
  if (total <= 1 || delivered === 0 || !isOpenable) return undefined
  if (opened === 0) return isYoung ? words.nobodyYet : words.nobodyOpened
  const share =
    delivered < fewest
      ? words.openedOf(opened, format.number(opened))
      : words.opened(format.percent(opened / delivered))
  return isYoung ? words.soFar(share) : share
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
