import type { Transaction } from '#base/store/store.ts'
import {
  type ActiveSet,
  adoptCodes,
  type CodesWanted,
  giveCodes,
  listGivenCodes,
  lockActiveSet,
  lockMessage,
  moveTakenUpTo,
  readNextCodes,
  recordInstallations,
  takeReturned,
  withoutForgotten,
} from './take-codes-store.ts'

type CodesOfUsers = Map<number, string | undefined>

const maxReach = 100_000

/**
 * [promo-codes.md#who-gets-which-code] One code for each user of a message: the one given before, else one of the
 * campaign's set, else one of the global set, else undefined. A code is given once in the life of an app, from
 * whichever set: promo_given says so.
 */
export async function takeCodes(tx: Transaction, wanted: CodesWanted): Promise<CodesOfUsers> {
  const userNos = await withoutForgotten(tx, wanted)
  const codes: CodesOfUsers = new Map(userNos.map((userNo) => [userNo, undefined]))
  if (codes.size === 0) return codes
  await lockMessage(tx, wanted)
  await adoptCodes(tx, wanted)
  const given = await listGivenCodes(tx, wanted)
  for (const { user_no, code } of given) codes.set(user_no, code)
  await recordInstallations(tx, wanted, given)
  for (const trackId of wanted.trackId ? [wanted.trackId, ''] : ['']) {
    if (waiting(codes).length === 0) break
    const set = await lockActiveSet(tx, wanted.appId, trackId)
    if (set) await takeFromSet(tx, wanted, set, codes)
  }
  return codes
}

function waiting(codes: CodesOfUsers): number[] {
  return [...codes].filter(([, code]) => code === undefined).map(([userNo]) => userNo)
}

/**
 * Goes on where the last taker stopped. Codes that were given from other sets lie in the way; the reach grows past
 * them.
 */
async function takeFromSet(tx: Transaction, wanted: CodesWanted, set: ActiveSet, codes: CodesOfUsers): Promise<void> {
  let takenUpTo = set.takenUpTo
  let given = 0
  let users = waiting(codes)
  for (let returned = await takeReturned(tx, set, users.length); returned.length > 0; ) {
    const pairs = await giveCodes(tx, wanted, set, returned, users)
    for (const { user_no, code } of pairs) codes.set(user_no, code)
    given += pairs.length
    users = waiting(codes)
    returned = await takeReturned(tx, set, users.length)
  }
  for (let reach = users.length; users.length > 0; reach = Math.min(reach * 4, maxReach)) {
    const next = await readNextCodes(tx, set, takenUpTo, reach)
    if (next.length === 0) break
    const free = next.filter(({ is_given }) => !is_given).map(({ code }) => code)
    const offered = free.slice(0, users.length)
    const pairs = await giveCodes(tx, wanted, set, offered, users)
    for (const { user_no, code } of pairs) codes.set(user_no, code)
    given += pairs.length
    takenUpTo = (free.length > users.length ? offered.at(-1) : next.at(-1)?.code) ?? takenUpTo
    users = waiting(codes)
  }
  if (takenUpTo !== set.takenUpTo || given > 0) await moveTakenUpTo(tx, set, takenUpTo, given)
}
