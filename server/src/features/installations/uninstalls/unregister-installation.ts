import sql from 'sql-template-tag'
import { type Context, db, inTransaction } from '#base/context.ts'
import { closeConnection } from '../connections/close-connection.ts'
import { cutConnection } from '../connections/connections-store.ts'
import { checkInstallationId, unknownInstallation } from '../installation-id.ts'
import { markUninstalled } from './mark-uninstalled.ts'

/** The client says goodbye: its connection ends too. What it did stays; an update brings it back. */
export async function unregisterInstallation(ctx: Context, input: { id: string }): Promise<{ count: number }> {
  const id = checkInstallationId(input.id)
  const [row] = await db(ctx).query<{ installation_no: number }>(
    sql`select installation_no from installations where app_id = ${ctx.app.id} and id = ${id}`,
    'find-installation-number',
  )
  if (!row) throw unknownInstallation(id)
  const installationNo = row.installation_no
  const { count, connectionId } = await inTransaction(ctx, async (tx) => ({
    ...(await markUninstalled({ ...ctx, tx }, { installations: [{ installationNo }] })),
    connectionId: await cutConnection(tx, { appId: ctx.app.id, installationNo }),
  }))
  if (connectionId !== undefined) closeConnection(ctx.store, { installationNo, connectionId })
  return { count }
}
