import { type Role, roles } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { listHolderRoles } from './holders-store.ts'

/** Number of live processes by role. A process of a version that does not store its roles counts for all of them. */
export async function countRoleProcesses(ctx: Pick<Context, 'store'>): Promise<Record<Role, number>> {
  const ofProcesses = await listHolderRoles(ctx.store)
  const count = (role: Role) => ofProcesses.filter((own) => own?.includes(role) ?? true).length
  return Object.fromEntries(roles.map((role) => [role, count(role)])) as Record<Role, number>
}
