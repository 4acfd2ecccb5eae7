import type { Context } from '#base/context.ts'
import { unknownInstallation } from '../../installations/installation-id.ts'
import { findUserOfInstallation } from '../../installations/users/find-user-of-installation.ts'

/** Whoever is logged in there. */
export async function userOfInstallation(ctx: Context, id: string): Promise<string> {
  const userId = await findUserOfInstallation(ctx, id)
  if (userId === undefined) throw unknownInstallation(id)
  return userId
}
