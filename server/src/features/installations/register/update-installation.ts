import type { Context } from '#base/context.ts'
import { checkInstallationId } from '../installation-id.ts'
import { readChange } from './read-change.ts'
import type { InstallationBody } from './read-patch.ts'
import { showInstallation } from './show-installation.ts'
import { writeInstallation } from './write-installations.ts'

/** A visit, a login, a logout, subscriptions or anything else an installation says of itself. */
export async function updateInstallation(ctx: Context, input: { id: string; body: InstallationBody }) {
  const id = checkInstallationId(input.id)
  const installation = await writeInstallation(ctx, { ...readChange(ctx, input.body), id, newId: undefined })
  return showInstallation(ctx.app.label, installation)
}
