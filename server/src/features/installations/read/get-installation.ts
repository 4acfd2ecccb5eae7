import type { InstallationWithUser } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { checkInstallationId, unknownInstallation } from '../installation-id.ts'
import { readInstallationAnswers } from './read-installation-answers.ts'

/**
 * An uninstalled one is answered too, and says so: an update by its client brings it back
 * [users-and-events.md#installations-and-users].
 */
export async function getInstallation(ctx: Context, input: { id: string }): Promise<InstallationWithUser> {
  const id = checkInstallationId(input.id)
  const [row] = await db(ctx).query<{ installation_no: number }>(
    sql`select installation_no from installations where app_id = ${ctx.app.id} and id = ${id}`,
    'find-installation-number',
  )
  const [answer] = row ? await readInstallationAnswers(ctx, [row.installation_no]) : []
  if (!answer) throw unknownInstallation(id)
  return answer
}
