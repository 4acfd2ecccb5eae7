import sql, { empty } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import type { ForgottenUser } from '../../installations/users/forget-user.ts'
import { sealSeries } from '../approved/seal-approved.ts'

/**
 * A series to nobody else goes; of one to others, too, only the name. An occurrence that was changed to go to somebody
 * else is a scheduled message of its own from then on; during a pause it is cancelled. To be called before the scheduled
 * messages are looked at: whoever makes occurrences has locked the series.
 */
export async function forgetSeries(tx: Transaction, { appId, userIds, until }: ForgottenUser): Promise<void> {
  const naming = sql`app_id = ${appId} and user_ids && ${userIds}::text[] ${until ? sql`and created_at <= ${until.came}` : empty}`
  const gone = await tx.query<{ id: string }>(
    sql`delete from series where ${naming} and user_ids <@ ${userIds}::text[] returning id`,
  )
  const left = await tx.query<{ id: string; is_approved: boolean }>(sql`
    update series
    set user_ids = array(select id from unnest(user_ids) with ordinality as u(id, place) where id <> all (${userIds}::text[]) order by place)
    where ${naming} returning id, approved_as is not null as is_approved`)
  for (const { id, is_approved } of left) if (is_approved) await sealSeries(tx, { appId, id })
  if (gone.length === 0) return
  await tx.query(sql`
    update scheduled_messages
    set series_id = null, occurs_at = null, is_changed = null,
      cancelled_at = case when available_at = 'infinity' then coalesce(cancelled_at, peyk_now()) else cancelled_at end
    where app_id = ${appId} and series_id = any(${gone.map(({ id }) => id)}::uuid[])`)
}
