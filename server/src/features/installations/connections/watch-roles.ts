import { type Role, roles } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { createLoop, type Loop } from '#base/loop.ts'
import { alertAllApps, settleInAllApps } from '../../accounts/alerts/alert-all-apps.ts'
import { listPresentRoles } from './list-present-roles.ts'

export const withoutRole: Record<Role, string> = {
  api: 'the API and the panel are unavailable',
  connection: 'no client can connect',
  worker: 'nothing is sent',
  index: 'segments of large apps are counted by SQL',
}

const raiseAgainMs = 3_600_000

/** Since when a role has been missing, and when its alert was last raised, in milliseconds of this process. */
interface Missing {
  sinceMs: number
  raisedAtMs?: number
}

/**
 * Raises an alert while a role has no process, and clears it when it has one. Every process watches, because a job of
 * the workers could not notice that there are no workers.
 */
export function createRoleWatch(
  services: Pick<Context, 'store' | 'now' | 'log'>,
  { roleMissingMs }: { roleMissingMs: number },
): Loop {
  const missing = new Map<Role, Missing>()
  const turn = async (): Promise<boolean> => {
    const present = await listPresentRoles(services)
    // Not even this process is listed yet, or the others have just given it up for dead.
    if (!present) return false
    await settleInAllApps(services, { kind: 'role-missing', subjects: present })
    for (const role of takeOverdue(missing, present, { nowMs: performance.now(), roleMissingMs }))
      await alertAllApps(services, {
        kind: 'role-missing',
        subject: role,
        text: `No running process has the role ${role}: ${withoutRole[role]}. Start one with PEYK_ROLES=${role}, or without PEYK_ROLES.`,
      })
    return false
  }
  return createLoop({ name: 'the role watch', log: services.log, everyMs: roleMissingMs / 4, turn })
}

/** Roles to raise an alert for now. Restarting the only process with a role takes less than `roleMissingMs`. */
export function takeOverdue(
  missing: Map<Role, Missing>,
  present: readonly Role[],
  { nowMs, roleMissingMs }: { nowMs: number; roleMissingMs: number },
): Role[] {
  for (const role of present) missing.delete(role)
  return roles.filter((role) => {
    if (present.includes(role)) return false
    const entry = missing.get(role) ?? { sinceMs: nowMs }
    missing.set(role, entry)
    const isDue = nowMs - entry.sinceMs >= roleMissingMs
    const isRaised = entry.raisedAtMs !== undefined && nowMs - entry.raisedAtMs < raiseAgainMs
    if (!isDue || isRaised) return false
    entry.raisedAtMs = nowMs
    return true
  })
}
