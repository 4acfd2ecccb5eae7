import { randomUUID } from 'node:crypto'
import type { BodyOf, registerInstallation as endpoint } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { isUuid } from '#base/ids.ts'
import { checkQuota } from '../../accounts/quotas/check-quota.ts'
import { countUsage } from '../../accounts/quotas/usage-tally.ts'
import { isInstallation } from './is-installation.ts'
import { readChange } from './read-change.ts'
import { showInstallation } from './show-installation.ts'
import { writeInstallation } from './write-installations.ts'

/**
 * Makes an installation. One that names its own id registers again: it is updated, and installed again
 * [users-and-events.md#installations-and-users]. Only a new one costs something of what the caller's address may make
 * [ADR-0110], and of the app's quota.
 */
export async function registerInstallation(ctx: Context, body: BodyOf<typeof endpoint>) {
  const id = isUuid(body.id) ? body.id.toLowerCase() : undefined
  const isKnown = id !== undefined && (await isInstallation(ctx, id))
  if (!isKnown) {
    checkQuota(ctx, 'installations')
    ctx.admitInstallation?.()
  }
  const installation = await writeInstallation(ctx, { ...readChange(ctx, body), id, newId: randomUUID() })
  if (!isKnown) countUsage(ctx, 'installations', 1)
  return showInstallation(ctx.app.label, installation)
}
