import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

export interface TakenAction {
  appId: number
  messageId: string
  actionId: string
}

/** Adds actions that were taken, each the first of its installation. Locks the counters in their order. */
export async function countActions(database: Database, taken: readonly TakenAction[]): Promise<void> {
  if (taken.length === 0) return
  await database.query(
    sql`insert into action_counters as c (app_id, message_id, action_id, count)
        select app_id, message_id, action_id, count(*)
        from ${unnestRows(taken, 't', {
          app_id: ['int', (action) => action.appId],
          message_id: ['uuid', (action) => action.messageId],
          action_id: ['text', (action) => action.actionId],
        })}
        group by app_id, message_id, action_id
        order by app_id, message_id, action_id collate "C"
        on conflict (app_id, message_id, action_id) do update set count = c.count + excluded.count`,
    'count-actions',
  )
}

/** Devices name the actions: who sends nonsense does not make the answer longer than this. */
const mostActions = 50

/** How many installations took each action; those most taken first. An action without an id is under ''. */
export async function readActions(ctx: Context, messageId: string): Promise<Record<string, number>> {
  const rows = await db(ctx).query<{ action_id: string; count: number }>(
    sql`select action_id, count from action_counters where app_id = ${ctx.app.id} and message_id = ${messageId}
        order by count desc, action_id limit ${mostActions}`,
    'read-actions',
  )
  return Object.fromEntries(rows.map((row) => [row.action_id, row.count]))
}
