import sql, { type Sql } from 'sql-template-tag'
import { firstIdAt, idAfter, timeOfId } from '#base/ids.ts'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { Draft } from './draft-message.ts'

/**
 * Drafts as they are stored: their ids are greater than those of all messages that the app has by now, whichever process
 * accepted them and whatever its clock says. So the ids of an app rise in the order of acceptance: whoever sends a
 * message after the answer to another one gets a greater id, and inboxes are read in the order of ids. It locks nothing:
 * what is accepted at the same moment has no order.
 *
 * It costs one look at the end of an index for each app in the statement, which finds nothing unless another process is
 * ahead. What is more than an hour ahead is not looked at: that is a scheduled message which was moved to an earlier time
 * and kept its id.
 */
export async function assignRisingIds<Kind extends Draft>(db: Database, drafts: readonly Kind[]): Promise<Kind[]> {
  const rows = await db.query<{ app_id: number; id: string }>(
    sql`select k.app_id, newest.id from ${appsOf(lowestIds(drafts))} cross join lateral ${newestMessage} newest`,
    'find-newer-messages',
  )
  return raiseIds(drafts, new Map(rows.map((row) => [row.app_id, row.id])))
}

/** The smallest id among the drafts of each app. */
export function lowestIds(drafts: readonly Draft[]): Map<number, string> {
  const lowest = new Map<number, string>()
  for (const { appId, id } of drafts) {
    const known = lowest.get(appId)
    if (known === undefined || id < known) lowest.set(appId, id)
  }
  return lowest
}

/** The apps `k`, each with the smallest id of its drafts. */
export function appsOf(lowest: ReadonlyMap<number, string>): Sql {
  return unnestRows([...lowest], 'k', {
    app_id: ['int', ([appId]) => appId],
    lowest: ['uuid', ([, id]) => id],
    highest: ['uuid', ([, id]) => anHourAfter(id)],
  })
}

/** The end of what counts as accepted by others meanwhile. */
export function anHourAfter(id: string): string {
  return firstIdAt(timeOfId(id).getTime() + 3_600_000)
}

/** Of the app `k`, where it is not before all of its drafts. */
export const newestMessage: Sql = sql`(
  select id from messages where app_id = k.app_id and id >= k.lowest and id < k.highest order by id desc limit 1
)`

/** Ids behind those that are known to be there, by app. */
export function raiseIds<Kind extends Draft>(drafts: readonly Kind[], known: ReadonlyMap<number, string>): Kind[] {
  if (known.size === 0) return [...drafts]
  const newest = new Map(known)
  return drafts.map((draft) => {
    const last = newest.get(draft.appId)
    if (last === undefined) return draft
    const id = idAfter(last)
    newest.set(draft.appId, id)
    return { ...draft, id }
  })
}
