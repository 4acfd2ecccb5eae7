import { Chance } from './chance.ts'
import { type KindName, kinds } from './kinds.ts'
import type { World } from './world.ts'

export interface Failure {
  kind: KindName
  number: number
  fault: string
  request: string
}

export interface Tally {
  requests: number
  /** How often each came. */
  outcomes: Record<string, number>
  failures: Failure[]
}

export interface Share {
  world: World
  seed: number
  kind: KindName
  /** The number of the first, counted from 0. */
  from: number
  /** At least so many requests; one script of MQTT has several. */
  count: number
  /** How many run at a time. */
  lanes: number
}

const maxFailures = 10

/** Sends requests of a kind, several at a time, until there were enough of them or too many failed. */
export async function runKind({ world, seed, kind, from, count, lanes }: Share, tally = emptyTally()): Promise<Tally> {
  let next = from
  const lane = async () => {
    while (tally.requests < count && tally.failures.length < maxFailures) {
      const number = next++
      try {
        const {
          outcome,
          count: made,
          fault,
          describe,
        } = await kinds[kind](new Chance(seed, kind, number), world, number)
        tally.requests += made
        tally.outcomes[outcome] = (tally.outcomes[outcome] ?? 0) + 1
        if (fault !== undefined) tally.failures.push({ kind, number, fault, request: describe() })
      } catch (error) {
        tally.failures.push({ kind, number, fault: String(error), request: 'see its number' })
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return tally
}

export function emptyTally(): Tally {
  return { requests: 0, outcomes: {}, failures: [] }
}

/** With what it takes to send it again. */
export function describeFailure(seed: number, { kind, number, fault, request }: Failure): string {
  return `${fault}\n  request ${number} of the kind "${kind}", seed ${seed}: PEYK_FUZZ=${seed}:${kind}:${number}\n  ${request}`
}
