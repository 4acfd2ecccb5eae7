import sql from 'sql-template-tag'
import type { Database } from '../../../base/store/store.ts'
import { unnestRows } from '../../../base/store/unnest-rows.ts'
import { isOpenNow } from '../../installations/connections/is-connected-now.ts'
import type { NamedDraft } from './named-draft.ts'

/** The installations of a message's users, in the order of their numbers. */
export interface Receivers {
  installationNos: number[]
  /** Those that are not on the message's channel [choice 24]. */
  outsideChannel: number[]
}

/**
 * `offset 0` keeps PostgreSQL to two index lookups per user, whatever it believes about the tables: without statistics
 * it takes a partial index of all installed ones instead.
 */
export async function findReceivers(db: Database, drafts: readonly NamedDraft[]): Promise<Receivers[]> {
  const asked = drafts.flatMap((draft, index) => {
    const { appId, channel, userIds, body } = draft
    const isLive = body.live ?? false
    return userIds.map((userId) => ({ index, appId, userId, isLive, subscription: channel.subscription ?? null }))
  })
  const found = await db.query<{ position: number; installation_no: number; is_member: boolean }>(
    sql`
      select asked.position, i.installation_no, i.is_member
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
        select user_no from users where app_id = asked.app_id and user_id = asked.user_id offset 0
      ) u
      cross join lateral (
        select installation_no, uninstalled_at is null as is_installed,
          asked.subscription is null or asked.subscription = any (subscriptions) or asked.subscription = id::text as is_member
        from installations
        where app_id = asked.app_id and user_no = u.user_no offset 0
      ) i
      where i.is_installed and (not asked.is_live or ${isOpenNow(sql`asked.app_id`, sql`i.installation_no`)})`,
    'find-receivers',
  )
  const receivers = drafts.map((): Receivers => ({ installationNos: [], outsideChannel: [] }))
  for (const { position, installation_no, is_member } of found) {
    const list = is_member ? 'installationNos' : 'outsideChannel'
    receivers[asked[position - 1]?.index ?? -1]?.[list].push(installation_no)
  }
  for (const { installationNos } of receivers) installationNos.sort((a, b) => a - b)
  return receivers
}
