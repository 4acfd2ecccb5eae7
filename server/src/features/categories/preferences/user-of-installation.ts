import { type Context, db } from '../../../base/context.ts'
import { checkInstallationId, unknownInstallation } from '../../installations/installation-id.ts'
import { findUserOfInstallation } from './preference-store.ts'

/** Whoever is logged in there. */
export async function userOfInstallation(ctx: Context, id: string): Promise<string> {
  const userId = await findUserOfInstallation(db(ctx), ctx.app.id, checkInstallationId(id))
  if (userId === undefined) throw unknownInstallation(id)
  return userId
}
