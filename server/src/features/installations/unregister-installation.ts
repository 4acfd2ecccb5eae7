import sql from 'sql-template-tag'
import { type Context, db } from '../../base/context.ts'
import { checkInstallationId, unknownInstallation } from './installation-id.ts'
import { markUninstalled } from './mark-uninstalled.ts'

/** The client says goodbye. What it did stays; an update brings it back. */
export async function unregisterInstallation(ctx: Context, input: { id: string }): Promise<{ count: number }> {
  const id = checkInstallationId(input.id)
  const [row] = await db(ctx).query<{ installation_no: number }>(
    sql`select installation_no from installations where app_id = ${ctx.app.id} and id = ${id}`,
    'find-installation-number',
  )
  if (!row) throw unknownInstallation(id)
  return markUninstalled(ctx, { installations: [{ installationNo: row.installation_no }] })
}
