import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { isOpenSince } from '../../installations/connections/is-connected-now.ts'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'
import { lockDeliveries } from '../progress/delivery-places-store.ts'

interface Row {
  app_id: number
  message_id: string
  installation_no: number
  at: Date
}

/**
 * [interface.md#41-send-a-message-to-users] A live message is never kept. What came into the inbox while its client
 * left, went into the background or was replaced by a later connection has ended.
 */
export async function endLiveMessages(
  ctx: Pick<Context, 'store'>,
  input: { installations: readonly { appId: number; installationNo: number }[] },
): Promise<{ count: number }> {
  const { installations } = input
  if (installations.length === 0) return { count: 0 }
  const rows = await ctx.store.query<Row>(
    sql`select d.app_id, d.message_id, d.installation_no, peyk_now() as at
        from ${unnestRows(installations, 'k', {
          app_id: ['int', ({ appId }) => appId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
        })}
        cross join lateral (
          select * from deliveries d
          where d.app_id = k.app_id and d.installation_no = k.installation_no and d.in_inbox and d.state = 'queued' offset 0
        ) d
        join messages m on m.app_id = d.app_id and m.id = d.message_id
        where m.body->'live' is not null and not ${isOpenSince(sql`d.app_id`, sql`d.installation_no`, sql`m.accepted_at`)}`,
    'list-ended-live',
  )
  if (rows.length === 0) return { count: 0 }
  const keys = rows.map((row) => ({
    appId: row.app_id,
    messageId: row.message_id,
    installationNo: row.installation_no,
  }))
  return ctx.store.transaction(async (tx) => {
    // One that was sent at the last moment is noted as such by now, or waits for this lock.
    const ended = (await lockDeliveries(tx, keys)).filter(({ state }) => state === 'queued')
    await advanceDeliveries(
      tx,
      ended.map(({ appId, messageId, installationNo }) => ({
        ...{ appId, messageId, installationNo, detailCode: 'client-gone' as const },
        state: 'ended',
        reason: 'expired',
        at: rows[0]?.at as Date,
      })),
    )
    return { count: ended.length }
  })
}
