import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { leaveInOutbox } from '../../outbox/outbox.ts'

type Job = Pick<Context, 'store' | 'now'>

interface Row {
  app_id: number
  message_id: string
  count: number
  track_id: string | null
  client_id: string | null
}

const atOnce = 1_000

/** Tells webhooks of messages that caps have held back, a minute after the first: once a minute at most for each message. */
export async function emitCapped({ store, now }: Job): Promise<void> {
  const tell = () =>
    store.transaction(async (tx) => {
      const rows = await tx.query<Row>(sql`
        with told as (
          delete from capped_counts where (app_id, message_id) in (
            select app_id, message_id from capped_counts where since <= ${now()}::timestamptz - interval '1 minute'
            order by app_id, message_id limit ${atOnce} for update skip locked)
          returning app_id, message_id, count
        )
        select t.app_id, t.message_id, t.count, m.track_id, m.client_id
        from told t left join messages m on m.app_id = t.app_id and m.id = t.message_id`)
      const happenings = rows.map(({ app_id, message_id, count, track_id, client_id }) => ({
        appId: app_id,
        kind: 'message.capped' as const,
        at: now(),
        body: {
          messageId: message_id,
          ...(track_id !== null && { trackId: track_id }),
          ...(client_id !== null && { clientId: client_id }),
          count,
        },
      }))
      await leaveInOutbox(tx, store, happenings)
      return rows.length
    })
  while ((await tell()) === atOnce);
}
