import { randomUUID } from 'node:crypto'
import { begunAt, type Context } from '#base/context.ts'
import type { InstallationChange } from '../installation.ts'
import { isUserHash } from '../users/user-hash.ts'
import { isUnverifiedClient } from './is-unverified-client.ts'
import { type InstallationBody, readPatch } from './read-patch.ts'

/** A body as a change on its way to the store, with what the caller may do. */
export function readChange(ctx: Context, body: InstallationBody): Omit<InstallationChange, 'id' | 'newId'> {
  const patch = readPatch(body)
  const secret = ctx.client?.identitySecret
  const hasUserHash =
    secret !== undefined && patch.userId !== undefined && isUserHash(secret, patch.userId, body.userHash)
  return {
    appId: ctx.app.id,
    at: ctx.now(),
    begunAt: begunAt(ctx),
    patch,
    guestId: `guest-${randomUUID()}`,
    mayLogIn: secret === undefined || hasUserHash,
    isVerified: !isUnverifiedClient(ctx),
    hasUserHash,
    mayNameGuest: secret === undefined,
  }
}
