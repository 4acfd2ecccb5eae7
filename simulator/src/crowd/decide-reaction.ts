import type { Person } from './person.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

/** What somebody does about a notification that is on the screen. */
export type Reaction =
  | { act: 'open' | 'dismiss' | 'uninstall'; afterMs: number }
  | { act: 'take-action'; actionId: string; afterMs: number }

interface Seen {
  messageId: string
  /** Ids of its buttons. */
  actions: readonly string[]
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const shareOnline = 0.92
/** The rest has notifications switched off, or a phone in a drawer. */
const shareBackLater = 0.05
const shareDismissing = 0.25
const shareUninstalling = 0.008
const shareOfOpenersWhoTakeAnAction = 0.3

/** When a push comes to the device after its provider took it; undefined: never. */
export function decideArrival(no: number, pushId: string): number | undefined {
  const random = seededRandom(`arrival ${pushId} ${no}`)
  const chance = random.next()
  if (chance < shareOnline) return random.between(0.3 * SECOND, 5 * SECOND)
  if (chance < shareOnline + shareBackLater) return within(random.logNormal(4 * MINUTE, 0.8), MINUTE, HOUR)
  return undefined
}

/** Undefined: it is left alone. */
export function decideReaction(
  no: number,
  { interest }: Pick<Person, 'interest'>,
  { messageId, actions }: Seen,
): Reaction | undefined {
  const random = seededRandom(`reaction ${messageId} ${no}`)
  const shareOpening = appealOf(messageId) * interest
  const chance = random.next()
  if (chance < shareOpening) {
    const afterMs = within(random.logNormal(22 * SECOND, 1.1), 1.5 * SECOND, 6 * HOUR)
    const isByButton = actions.length > 0 && random.isTrue(shareOfOpenersWhoTakeAnAction)
    return isByButton ? { act: 'take-action', actionId: favourite(random, actions), afterMs } : { act: 'open', afterMs }
  }
  if (chance < shareOpening + shareDismissing)
    return { act: 'dismiss', afterMs: within(random.logNormal(35 * SECOND, 1.3), 2 * SECOND, 12 * HOUR) }
  if (chance > 1 - shareUninstalling)
    return { act: 'uninstall', afterMs: within(random.logNormal(90 * SECOND, 0.8), 10 * SECOND, HOUR) }
  return undefined
}

/** How many of those who see it open it: another share for each message. */
function appealOf(messageId: string): number {
  return seededRandom(`appeal ${messageId}`).between(0.08, 0.2)
}

/** The first button is made to be pressed. */
function favourite(random: SeededRandom, actions: readonly string[]): string {
  return random.isTrue(0.7) ? (actions[0] as string) : random.oneOf(actions)
}

function within(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}
