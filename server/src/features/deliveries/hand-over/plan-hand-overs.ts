import { controlName, type QuietHours } from '@peyk/contract'
import type { Store } from '#base/store/store.ts'
import { getSendingRules, type SendingRules } from '../../accounts/sending/get-sending-rules.ts'
import type { Assigned } from '../variants/assign-users.ts'
import { free } from './cap.ts'
import { isInControlGroup } from './control-group.ts'
import { decideHandOver, type HandOver, type HandOverRules } from './decide-hand-over.ts'
import { findUnwilling } from './hand-over-store.ts'
import { quietUntil } from './quiet-hours.ts'
import { reserveHandOvers } from './reserve-hand-overs.ts'
import { readUserClocks } from './user-clocks.ts'

export interface HandOverUser {
  userNo: number
  userId: string
  /** Whether there is a way to the user: only then it counts against a cap. */
  isReached: boolean
  /** What the test of the message gives them, where it is one. */
  assigned?: Assigned | undefined
}

/** A message with a category, or one that is a test, and some of those it goes to. */
export interface MessageToPlan {
  id: string
  rules: HandOverRules
  users: readonly HandOverUser[]
}

/** The decision for a user, and on whose clock it was made. */
export type PlannedHandOver = HandOver & { zone: string | undefined }

export interface HandOverPlan {
  /** By number, the users to whom it does not go now. */
  users: ReadonlyMap<number, PlannedHandOver>
  quietHours: QuietHours | undefined
}

type Facts = Omit<Parameters<typeof decideHandOver>[1], 'cap'> & { zone: string | undefined }
type FindFacts = (rules: HandOverRules) => (user: HandOverUser) => Facts

/**
 * Decides for the users of messages of one app, all at once and in the order of the messages, and counts them against the
 * caps of those they go to. A plan for each message.
 */
export async function planHandOvers(
  store: Store,
  appId: number,
  messages: readonly MessageToPlan[],
  at: Date,
): Promise<HandOverPlan[]> {
  const app = await getSendingRules(store, appId)
  const findFacts = await readFacts(store, { appId, app, messages, at })
  const wanted = messages.map((): number[] => [])
  const plans = messages.map(({ rules, users }, index) => {
    const countsAgainstCaps = rules.category !== undefined && !rules.isSilent
    const held = new Map<number, PlannedHandOver>()
    const find = findFacts(rules)
    for (const user of users) {
      const facts = find(user)
      const decision = decideHandOver(rules, { ...facts, cap: free })
      if (decision.kind !== 'go') held.set(user.userNo, { ...decision, zone: facts.zone })
      else if (countsAgainstCaps && user.isReached) wanted[index]?.push(user.userNo)
    }
    return held
  })
  const caps = await reserveHandOvers(store, {
    appId,
    caps: app.caps,
    at,
    wanted: messages.map(({ id, rules }, index) => {
      return { messageId: id, category: rules.category ?? '', userNos: wanted[index] ?? [] }
    }),
  })
  // Who was wanted goes but for the caps.
  for (const [index, states] of caps.entries()) {
    const { rules } = messages[index] as MessageToPlan
    for (const [userNo, cap] of states) {
      const decision = decideHandOver(rules, { ...nothingHolds, cap })
      if (decision.kind !== 'go') plans[index]?.set(userNo, { ...decision, zone: undefined })
    }
  }
  return plans.map((held) => ({ users: held, quietHours: app.quietHours }))
}

const nothingHolds = { isInControlGroup: false, isWanted: true, quietUntil: undefined }

interface Asked {
  appId: number
  app: SendingRules
  messages: readonly MessageToPlan[]
  at: Date
}

/** Everything but the caps. */
async function readFacts(store: Store, { appId, app, messages, at }: Asked): Promise<FindFacts> {
  const asked = messages.flatMap(({ rules: { category }, users }) =>
    category === undefined ? [] : users.map(({ userNo }) => ({ userNo, category })),
  )
  const unwilling = asked.length > 0 ? await findUnwilling(store, appId, asked) : () => false
  const { quietHours } = app
  const waitsAtNight = (rules: HandOverRules) =>
    rules.category !== undefined && rules.respectsQuietHours && !rules.isSilent
  const asleep = new Set<number>()
  for (const { rules, users } of messages) {
    if (quietHours && waitsAtNight(rules)) for (const { userNo } of users) asleep.add(userNo)
  }
  const clocks = asleep.size > 0 ? await readUserClocks(store, appId, [...asleep]) : undefined
  const ends = new Map<string, Date | undefined>()
  const endOf = (zone: string, hours: QuietHours) => {
    if (!ends.has(zone)) ends.set(zone, quietUntil(at, zone, hours))
    return ends.get(zone)
  }
  return (rules) => {
    const { category } = rules
    const zoneOf = (userNo: number) => (clocks && waitsAtNight(rules) ? (clocks.get(userNo) ?? app.zone) : undefined)
    return ({ userNo, userId, assigned }) => {
      const zone = zoneOf(userNo)
      return {
        isInControlGroup: category !== undefined && isInControlGroup(appId, userId, app.controlGroup),
        isWanted: category === undefined || !unwilling(userNo, category),
        ...(assigned && testFacts(assigned)),
        quietUntil: zone !== undefined && quietHours ? endOf(zone, quietHours) : undefined,
        zone,
      }
    }
  }
}

function testFacts(assigned: Assigned): Pick<Facts, 'isInOwnControl' | 'winnerAt'> {
  if ('waitsUntil' in assigned) return { winnerAt: assigned.waitsUntil }
  return { isInOwnControl: assigned.variant === controlName }
}
