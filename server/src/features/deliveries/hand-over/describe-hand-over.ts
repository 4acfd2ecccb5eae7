import type { TimelineFact } from '@peyk/contract'
import type { HandOver } from './decide-hand-over.ts'
import type { HandOverPlan, PlannedHandOver } from './plan-hand-overs.ts'

type Waiting = Extract<PlannedHandOver, { kind: 'wait' }>
type Full = Extract<HandOver, { cap: unknown }>
export type WaitFact = Extract<
  TimelineFact,
  { code: 'waited-for-quiet-hours' | 'waited-for-cap' | 'waited-for-winner' }
>

const mostNamed = 10

/** What a message waits for, as it is kept for whoever asks about one delivery. */
export function factOfWait({ quietHours }: Pick<HandOverPlan, 'quietHours'>, waiting: Waiting): WaitFact {
  const until = waiting.until.getTime()
  if (waiting.for === 'cap') {
    const { count, window } = waiting.cap
    return { code: 'waited-for-cap', count, window, by: waiting.by.slice(-mostNamed), until }
  }
  if (waiting.for === 'winner') return { code: 'waited-for-winner', until }
  const { from = '', to = '' } = quietHours ?? {}
  return { code: 'waited-for-quiet-hours', from, to, zone: waiting.zone ?? '', until }
}

export function describeWait(plan: Pick<HandOverPlan, 'quietHours'>, waiting: Waiting): string {
  const until = waiting.until.toISOString()
  if (waiting.for === 'cap') return `capped until ${until}: ${describeCap(waiting)}`
  if (waiting.for === 'winner') return `the winner of the test is not known before ${until}`
  return `quiet hours ${plan.quietHours?.from}–${plan.quietHours?.to} in ${waiting.zone}, until ${until}`
}

/** Such as "3 in 24h, by <ids>". */
export function describeCap({ cap: { count, window }, by }: Full): string {
  const newest = by.slice(-mostNamed)
  return `${count} in ${window}, by ${newest.join(', ')}${by.length > newest.length ? ' …' : ''}`
}
