import sql, { empty } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { isOpenNow } from '../../installations/connections/is-connected-now.ts'
import { type Reach, reachColumns, reachJoins } from '../../installations/read/reach.ts'
import type { NamedDraft } from './named-draft.ts'

/** The installations of a message's users, in the order of their numbers. */
export interface Receivers {
  installationNos: number[]
  /** How the former can be reached, where that was asked for. */
  reaches: Reach[]
  /** Those that are not on the message's channel [channels.md#names]. */
  outsideChannel: number[]
}

/**
 * With `returningMs`, also how they can be reached. `offset 0` keeps PostgreSQL to two index lookups per user, whatever it
 * believes about the tables: without statistics it takes a partial index of all installed ones instead.
 */
export async function findReceivers(
  db: Database,
  drafts: readonly NamedDraft[],
  returningMs?: number,
): Promise<Receivers[]> {
  const asked = drafts.flatMap((draft, index) => {
    const { appId, channel, userIds, body } = draft
    const isLive = body.live ?? false
    return userIds.map((userId) => ({ index, appId, userId, isLive, subscription: channel.subscription ?? null }))
  })
  const withReach = returningMs !== undefined
  const found = await db.query<Found & Partial<Reach>>(
    sql`
      select asked.position, i.is_member, ${withReach ? reachColumns(returningMs) : sql`i.installation_no`}
      from ${unnestRows(
        asked,
        'asked',
        {
          app_id: ['int', (user) => user.appId],
          user_id: ['text', (user) => user.userId],
          subscription: ['text', (user) => user.subscription],
          is_live: ['boolean', (user) => user.isLive],
        },
        { position: 'position' },
      )}
      cross join lateral (
        select user_no, user_id from users where app_id = asked.app_id and user_id = asked.user_id offset 0
      ) u
      cross join lateral (
        select app_id, installation_no, id, device_type, user_no, uninstalled_at,
          asked.subscription is null or asked.subscription = any (subscriptions) or asked.subscription = id::text as is_member
        from installations
        where app_id = asked.app_id and user_no = u.user_no offset 0
      ) i
      ${withReach ? reachJoins : empty}
      where i.uninstalled_at is null and (not asked.is_live or ${isOpenNow(sql`asked.app_id`, sql`i.installation_no`)})`,
    withReach ? 'find-receivers-with-reach' : 'find-receivers',
  )
  const receivers = drafts.map((): Receivers => ({ installationNos: [], reaches: [], outsideChannel: [] }))
  for (const row of found.sort((a, b) => a.installation_no - b.installation_no)) {
    const own = receivers[asked[row.position - 1]?.index ?? -1]
    if (!row.is_member) own?.outsideChannel.push(row.installation_no)
    else {
      own?.installationNos.push(row.installation_no)
      if (withReach) own?.reaches.push(row as Reach)
    }
  }
  return receivers
}

interface Found {
  position: number
  installation_no: number
  is_member: boolean
}
