import type { Store } from '../../../base/store/store.ts'
import { getSendingRules, type SendingRules } from '../../accounts/sending/get-sending-rules.ts'
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
}

export interface PlannedMessage {
  appId: number
  id: string
  rules: HandOverRules
}

/** The decision for a user, and on whose clock it was made. */
export type PlannedHandOver = HandOver & { zone: string | undefined }

export interface HandOverPlan {
  /** By number of the user. */
  users: Map<number, PlannedHandOver>
  quietHours: SendingRules['quietHours']
}

/** Decides for the users of a message with a category, all at once, and counts it against the caps of those it goes to. */
export async function planHandOvers(
  store: Store,
  { appId, id, rules }: PlannedMessage,
  users: readonly HandOverUser[],
  at: Date,
): Promise<HandOverPlan> {
  const app = await getSendingRules(store, appId)
  const facts = await readFacts(store, { appId, app, rules, users, at })
  const decide = (user: HandOverUser, cap: CapState) => decideHandOver(rules, { ...facts(user), cap })
  const going = rules.isSilent ? [] : users.filter((user) => user.isReached && decide(user, free).kind === 'go')
  const caps = await reserveHandOvers(store, {
    ...{ appId, messageId: id, category: rules.category, caps: app.caps, at },
    userNos: going.map(({ userNo }) => userNo),
  })
  return {
    users: new Map(
      users.map((user) => [user.userNo, { ...decide(user, caps.get(user.userNo) ?? free), zone: facts(user).zone }]),
    ),
    quietHours: app.quietHours,
  }
}

interface Asked {
  appId: number
  app: SendingRules
  rules: HandOverRules
  users: readonly HandOverUser[]
  at: Date
}

/** Everything but the cap, by user. */
async function readFacts(store: Store, { appId, app, rules, users, at }: Asked) {
  const userNos = users.map(({ userNo }) => userNo)
  const unwilling = await findUnwilling(store, { appId, userNos, category: rules.category })
  const { quietHours } = app
  const hours = rules.isSilent || !rules.respectsQuietHours ? undefined : quietHours
  const zones = hours ? await readUserZones(store, { appId, userNos }) : undefined
  const ends = new Map<string, Date | undefined>()
  const endOf = (zone: string) => {
    if (hours && !ends.has(zone)) ends.set(zone, quietUntil(at, zone, hours))
    return ends.get(zone)
  }
  return ({ userNo, userId }: HandOverUser) => {
    const zone = zones && userClock(zones.get(userNo) ?? [], app.zone)
    return {
      isInControlGroup: isInControlGroup(appId, userId, app.controlGroup),
      isWanted: !unwilling.has(userNo),
      quietUntil: zone === undefined ? undefined : endOf(zone),
      zone,
    }
  }
}
