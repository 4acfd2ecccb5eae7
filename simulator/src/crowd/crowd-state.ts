import type { KnownDevice } from '../phones/call-service.ts'
import { newPhoneState, type PhoneState } from '../phones/phone-state.ts'
import { type Platform, pushProviderOf } from '../phones/platform.ts'
import { makePerson, type Person } from './person.ts'

/** What is kept of a member: who it is follows from its number. */
export interface KeptMember
  extends Pick<
    PhoneState,
    'appId' | 'installationId' | 'deviceToken' | 'address' | 'vapidKey' | 'isRegistered' | 'installedAt' | 'launchCount'
  > {
  no: number
}

export interface CrowdState {
  size: number
  pace: number
  /** Of the next who comes. */
  nextNo: number
  members: KeptMember[]
  /** The newest tokens that died with an app that was removed. */
  left: { platform: Platform; address: string }[]
  /** Of the app that the members are in. */
  clientKey: string | null
}

/** What anybody may see of it. */
export interface CrowdView {
  /** How many it is to have. */
  size: number
  /** How many times as fast as people its members act; 0: they rest. */
  pace: number
  /** How many the service knows. */
  members: number
  /** How many hold the own connection. */
  connected: number
  /** What its members are about to do: receive, open, dismiss, buy … */
  pending: number
}

export const crowdLimits = { size: 2_000, pace: 100 } as const

const defaultSize = 300
/** `user-1` has the phones. */
const firstNo = 2

export function newCrowdState(): CrowdState {
  return { size: defaultSize, pace: 1, nextNo: firstNo, members: [], left: [], clientKey: null }
}

export function keepMember(no: number, state: PhoneState): KeptMember {
  const { appId, installationId, deviceToken, address, vapidKey, isRegistered, installedAt, launchCount } = state
  return { no, appId, installationId, deviceToken, address, vapidKey, isRegistered, installedAt, launchCount }
}

/** Who a member is, and its phone. */
export interface MemberStart {
  no: number
  person: Person
  state: PhoneState
}

export function startMember({ no, ...kept }: Pick<KeptMember, 'no'> & Partial<KeptMember>): MemberStart {
  const person = makePerson(no)
  return { no, person, state: { ...newPhoneState(person), ...kept } }
}

/** Apps may say anything. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** The user of a device that the service knows already. What the device said of itself stays as it is. */
export function startOwner(no: number, device: KnownDevice, address: string): MemberStart {
  const { userId, platform, timeZone, ...known } = device
  const provider = pushProviderOf[platform]
  const person: Person = {
    ...makePerson(no),
    ...{ userId, platform, provider, permission: 'allowed', details: {}, subscriptions: [] },
    ...(isTimeZone(timeZone) && { timeZone }),
  }
  return { no, person, state: { ...newPhoneState(person), ...known, address, isRegistered: true } }
}
