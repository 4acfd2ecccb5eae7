import { type Role, roles } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { listHolderRoles } from './holders-store.ts'

/** Which roles the processes that live have together; undefined when none lives. */
export async function listPresentRoles(ctx: Pick<Context, 'store'>): Promise<Role[] | undefined> {
  const ofProcesses = await listHolderRoles(ctx.store)
  if (ofProcesses.length === 0) return undefined
  return roles.filter((role) => ofProcesses.some((own) => own?.includes(role) ?? true))
}
