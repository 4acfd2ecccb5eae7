import type { InstallationChange } from '../installation.ts'

export interface UserDecision {
  userId: string
  isGuest: boolean
  isLogin: boolean
}

type Current = { userId: string; isGuest: boolean }

/**
 * Whose installation it is after a registration or an update [users-and-events.md#installations-and-users]. Login state
 * comes from `isGuest`, because existing clients send a wrong `isLoggedIn`. Undefined when the login was not verified.
 *
 *   registered ──isGuest true──▶ guest ──userId without isGuest true──▶ registered
 */
export function decideUser(current: Current | undefined, change: InstallationChange): UserDecision | undefined {
  const { userId, isGuest } = change.patch
  if (userId !== undefined && isGuest !== true) return logIn(current, userId, change)
  if (isGuest === true || !current) return beGuest(current, change)
  return { ...current, isLogin: false }
}

function logIn(current: Current | undefined, userId: string, change: InstallationChange): UserDecision | undefined {
  // A guest's update repeats the guest's id; only `isGuest: false` makes that id a registered one.
  const isSame = current?.userId === userId && (!current.isGuest || change.patch.isGuest === undefined)
  if (current && isSame) return { ...current, isLogin: false }
  return change.mayLogIn ? { userId, isGuest: false, isLogin: true } : undefined
}

function beGuest(current: Current | undefined, change: InstallationChange): UserDecision {
  const named = change.mayNameGuest ? change.patch.userId : undefined
  // "isGuest" beside the id of the user who was logged in is a logout that forgot to leave the id out.
  const isNew = named !== undefined && named !== current?.userId
  if (isNew) return { userId: named, isGuest: true, isLogin: false }
  if (current?.isGuest) return { ...current, isLogin: false }
  return { userId: change.guestId, isGuest: true, isLogin: false }
}
