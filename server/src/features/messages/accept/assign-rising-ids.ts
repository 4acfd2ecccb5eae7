import sql from 'sql-template-tag'
import { idAfter } from '../../../base/ids.ts'
import type { Database } from '../../../base/store/store.ts'
import type { Draft } from './draft-message.ts'

/**
 * Drafts as they are stored: their ids are greater than those of all messages that the app has by now, whichever process
 * accepted them and whatever its clock says. So the ids of an app rise in the order of acceptance: whoever sends a
 * message after the answer to another one gets a greater id, and inboxes are read in the order of ids. To be called in
 * the transaction that stores the drafts. It locks nothing: what is accepted at the same moment has no order.
 *
 * It costs one look at the end of an index for each app in the statement, which finds nothing unless another process is
 * ahead.
 */
export async function assignRisingIds<Kind extends Draft>(db: Database, drafts: readonly Kind[]): Promise<Kind[]> {
  const lowest = new Map<number, string>()
  for (const { appId, id } of drafts) {
    const known = lowest.get(appId)
    if (known === undefined || id < known) lowest.set(appId, id)
  }
  const rows = await db.query<{ app_id: number; id: string }>(
    sql`select k.app_id, newest.id
        from unnest(${[...lowest.keys()]}::int[], ${[...lowest.values()]}::uuid[]) as k(app_id, lowest)
        cross join lateral (
          select id from messages where app_id = k.app_id and id >= k.lowest order by id desc limit 1
        ) newest`,
    'find-newer-messages',
  )
  if (rows.length === 0) return [...drafts]
  const newest = new Map(rows.map((row) => [row.app_id, row.id]))
  return drafts.map((draft) => {
    const last = newest.get(draft.appId)
    if (last === undefined) return draft
    const id = idAfter(last)
    newest.set(draft.appId, id)
    return { ...draft, id }
  })
}
