import { show } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'

/** By a person who has seen it. What still holds is raised again. Clearing twice is no error. */
export async function clearAlert(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now'>,
  { id }: { id: string },
): Promise<{ id: string; clearedAt: number }> {
  const [row] = isUuid(id)
    ? await db(ctx).query<{ alert_id: string; cleared_at: Date }>(sql`
        update alerts set cleared_at = coalesce(cleared_at, ${ctx.now()})
        where app_id = ${ctx.app.id} and alert_id = ${id} returning alert_id, cleared_at`)
    : []
  if (!row) throw new RequestError('not-found', `There is no alert with the id ${show(id)}.`)
  return { id: row.alert_id, clearedAt: row.cleared_at.getTime() }
}
