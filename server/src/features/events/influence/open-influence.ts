import sql from 'sql-template-tag'
import { firstIdAt } from '#base/ids.ts'
import { plainArray } from '#base/store/plain-array.ts'
import type { Transaction } from '#base/store/store.ts'
import { influenceMs } from './influence-time.ts'

export interface Opening {
  appId: number
  installationNo: number
  messageId: string
  happenedAt: Date
}

/** An event may be said to happen up to a day after it came [users-and-events.md#events]. */
const aheadMs = 24 * 3_600_000

/** Notes that messages were opened, for creditEvents; what is too old to influence anything is left out. */
export async function openInfluence(tx: Transaction, openings: readonly Opening[], now: Date): Promise<void> {
  const recent = openings.filter(({ happenedAt }) => Number(now) - Number(happenedAt) < influenceMs)
  if (recent.length === 0) return
  const fromIds = recent.map(({ happenedAt }) => firstIdAt(Number(happenedAt) - aheadMs))
  await tx.query(
    sql`insert into influence_windows (app_id, installation_no, message_id, opened_at, events_from)
        select app_id, installation_no, message_id, to_timestamp(opened_at / 1000), events_from
        from unnest(
          ${plainArray(recent.map((opening) => opening.appId))}::int[],
          ${plainArray(recent.map((opening) => opening.installationNo))}::bigint[],
          ${plainArray(recent.map((opening) => opening.messageId))}::uuid[],
          ${plainArray(recent.map((opening) => Number(opening.happenedAt)))}::float8[],
          ${plainArray(fromIds)}::uuid[]
        ) as o(app_id, installation_no, message_id, opened_at, events_from)
        order by app_id, installation_no, message_id, opened_at
        on conflict do nothing`,
    'open-influence',
  )
}
