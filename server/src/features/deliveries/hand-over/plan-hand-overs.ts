import { controlName, type QuietHours } from '@peyk/contract'
import type { Store } from '../../../base/store/store.ts'
import { getSendingRules, type SendingRules } from '../../accounts/sending/get-sending-rules.ts'
import type { Assigned } from '../variants/assign-users.ts'
import { type CapState, free } from './cap.ts'
import { isInControlGroup } from './control-group.ts'
import { decideHandOver, type HandOver, type HandOverRules } from './decide-hand-over.ts'
import { findUnwilling, readUserZones } from './hand-over-store.ts'
import { quietUntil } from './quiet-hours.ts'
import { reserveHandOvers } from './reserve-hand-overs.ts'
import { userClock } from './user-clock.ts'

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
  /** By number of the user. */
  users: ReadonlyMap<number, PlannedHandOver>
  quietHours: QuietHours | undefined
}

type Facts = Omit<Parameters<typeof decideHandOver>[1], 'cap'> & { zone: string | undefined }
type FindFacts = (message: MessageToPlan, user: HandOverUser) => Facts

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
  const decide = (message: MessageToPlan, user: HandOverUser, cap: CapState): PlannedHandOver => {
    const facts = findFacts(message, user)
    return { ...decideHandOver(message.rules, { ...facts, cap }), zone: facts.zone }
  }
  const wanted = messages.map((message) => ({
    messageId: message.id,
    category: message.rules.category ?? '',
    userNos:
      message.rules.isSilent || message.rules.category === undefined
        ? []
        : message.users
            .filter((user) => user.isReached && decide(message, user, free).kind === 'go')
            .map(({ userNo }) => userNo),
  }))
  const caps = await reserveHandOvers(store, { appId, caps: app.caps, at, wanted })
  return messages.map((message, index) => ({
    users: new Map(
      message.users.map((user) => [user.userNo, decide(message, user, caps[index]?.get(user.userNo) ?? free)]),
    ),
    quietHours: app.quietHours,
  }))
}

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
  const waitsAtNight = ({ rules }: MessageToPlan) =>
    rules.category !== undefined && rules.respectsQuietHours && !rules.isSilent
  const asleep = quietHours
    ? messages.filter(waitsAtNight).flatMap(({ users }) => users.map(({ userNo }) => userNo))
    : []
  const zones = asleep.length > 0 ? await readUserZones(store, appId, asleep) : undefined
  const ends = new Map<string, Date | undefined>()
  const endOf = (zone: string, hours: QuietHours) => {
    if (!ends.has(zone)) ends.set(zone, quietUntil(at, zone, hours))
    return ends.get(zone)
  }
  return (message, { userNo, userId, assigned }) => {
    const { category } = message.rules
    const zone = zones && waitsAtNight(message) ? userClock(zones.get(userNo) ?? [], app.zone) : undefined
    return {
      isInControlGroup: category !== undefined && isInControlGroup(appId, userId, app.controlGroup),
      isWanted: category === undefined || !unwilling(userNo, category),
      ...(assigned && testFacts(assigned)),
      quietUntil: zone !== undefined && quietHours ? endOf(zone, quietHours) : undefined,
      zone,
    }
  }
}

function testFacts(assigned: Assigned): Pick<Facts, 'isInOwnControl' | 'winnerAt'> {
  if ('waitsUntil' in assigned) return { winnerAt: assigned.waitsUntil }
  return { isInOwnControl: assigned.variant === controlName }
}
