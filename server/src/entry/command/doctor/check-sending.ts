import { type Role, roles } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { listAlerts } from '#features/accounts/alerts/list-alerts.ts'
import { findStop } from '#features/accounts/apps/stop-store.ts'
import { readRestoreHold } from '#features/backups/read-restore-hold.ts'
import { type Overdue, readOverdue } from '#features/deliveries/read/read-overdue.ts'
import { listPresentRoles } from '#features/installations/connections/list-present-roles.ts'
import { withoutRole } from '#features/installations/connections/watch-roles.ts'
import { type OverdueWork, readOverdueWork } from '#features/statistics/overdue/read-overdue-work.ts'
import { formatMinute } from '../print.ts'
import { type Finding, fault, ok, unseen, warning } from './finding.ts'

/** Told by how things stand. */
const toldOtherwise = new Set([
  'provider-paused',
  'webhook-disabled',
  'credentials-unreadable',
  'backup-failed',
  'restored',
  'role-missing',
])
const lateSeconds = 60

/** What keeps messages of the whole service back. */
export async function checkSending(ctx: Pick<Context, 'store'>, { isUsed }: { isUsed: boolean }): Promise<Finding[]> {
  const hold = await readRestoreHold(ctx)
  const held = hold && [
    fault(
      'held-after-restore',
      `The service was restored from a backup of ${formatMinute(hold.backupMadeAt)}. It sends nothing until somebody decides about the messages that waited then.`,
      'peyk resume',
    ),
  ]
  return [
    ...(held ?? []),
    ...judgeRoles(await listPresentRoles(ctx)),
    ...judgeOverdue(
      { batches: await readOverdue(ctx), work: await readOverdueWork(ctx) },
      { isUsed, isHeld: hold !== undefined },
    ),
  ]
}

/** Each role needs a process, except `index`: everything works without it, only more slowly. */
export function judgeRoles(present: readonly Role[] | undefined): Finding[] {
  const missing = present ? roles.filter((role) => !present.includes(role)) : []
  return missing.map((role) =>
    (role === 'index' ? warning : fault)(
      'role-missing',
      `No running process on this database has the role ${role}: ${withoutRole[role]}.`,
      `Start one with PEYK_ROLES=${role}, or without PEYK_ROLES.`,
    ),
  )
}

export function judgeOverdue(
  { batches, work }: { batches: readonly Overdue[]; work: readonly OverdueWork[] },
  { isUsed, isHeld }: { isUsed: boolean; isHeld: boolean },
): Finding[] {
  const kinds = [{ what: 'delivery', seconds: Math.max(0, ...batches.map((lane) => lane.seconds)) }, ...work]
  const late = kinds.filter(({ seconds }) => seconds >= lateSeconds)
  if (late.length === 0) return [ok('in-time', 'nothing is overdue')]
  const waiting = late.map(({ what, seconds }) => `${what} for ${Math.round(seconds)} seconds`).join(', ')
  if (isHeld) return [unseen('waiting', `Work has waited until peyk resume: ${waiting}.`)]
  if (!isUsed) return [unseen('waiting', `Work has waited, and no service runs to do it: ${waiting}.`)]
  return late.map(({ what, seconds }) =>
    fault(
      'overdue',
      `The oldest work of ${what} has waited for ${Math.round(seconds)} seconds.`,
      'Check the log of the service, and whether its machine or PostgreSQL is busy.',
    ),
  )
}

/** Of one app: whether somebody stopped it, and what else needs a person. */
export async function checkApp(ctx: Pick<Context, 'app' | 'store'>): Promise<Finding[]> {
  const { label } = ctx.app
  const stop = await findStop(ctx)
  const alerts = (await listAlerts(ctx)).filter(({ kind }) => !toldOtherwise.has(kind))
  return [
    ...(stop
      ? [
          warning(
            'app-stopped',
            `All sending of the app ${label} was stopped at ${formatMinute(stop.at)}.`,
            `To resume: peyk app resume ${label}`,
          ),
        ]
      : []),
    ...alerts.map(({ kind, text }) =>
      warning(
        kind,
        `${label}: ${text}`,
        'Settle it in the panel, or see docs/guides/providers.md and docs/self-host/operations.md.',
      ),
    ),
  ]
}
