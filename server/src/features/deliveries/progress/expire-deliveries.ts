import sql, { type Sql } from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { advanceDeliveries } from './advance-deliveries.ts'

type Job = Pick<Context, 'store'> & { signal?: AbortSignal }

interface Row {
  app_id: number
  message_id: string
  installation_no: number
  at: Date
}

const rowsPerCommit = 5_000

/**
 * [sending.md#time-to-live] What waited for its installation until the message expired has ended. Looks back a week: a
 * service that was down that long would miss some.
 */
export async function expireDeliveries(job: Job): Promise<void> {
  await releasePaused(job)
  await endAll(
    job,
    sql`select d.app_id, d.message_id, d.installation_no, peyk_now() as at
        from messages m cross join lateral (
          select * from deliveries d
          where d.app_id = m.app_id and d.message_id = m.id and d.state = 'queued' offset 0
        ) d
        where m.expires_at between peyk_now() - interval '7 days' and peyk_now() limit ${rowsPerCommit}`,
  )
  await expireOwnEnds(job)
}

/** Of messages with a local time, what waited until the moment at which they end for its user. */
async function expireOwnEnds(job: Job): Promise<void> {
  await endAll(
    job,
    sql`select d.app_id, d.message_id, d.installation_no, peyk_now() as at
        from (select distinct app_id, message_id from message_ends where ends_at <= peyk_now()) e
        cross join lateral (
          select * from deliveries d
          where d.app_id = e.app_id and d.message_id = e.message_id and d.state = 'queued' and d.expires_at <= peyk_now() offset 0
        ) d
        limit ${rowsPerCommit}`,
  )
  if (job.signal?.aborted) return
  // Whoever was still sending has stored what became of it by then.
  await job.store.query(sql`delete from message_ends where ends_at < peyk_now() - interval '1 hour'`)
}

async function endAll(job: Job, waiting: Sql): Promise<void> {
  for (;;) {
    const count = await job.store.transaction(async (tx) => {
      const rows = await tx.query<Row>(waiting)
      await advanceDeliveries(
        tx,
        rows.map((row) => ({
          appId: row.app_id,
          messageId: row.message_id,
          installationNo: row.installation_no,
          state: 'ended',
          reason: 'expired',
          at: row.at,
        })),
      )
      return rows.length
    })
    if (count < rowsPerCommit || job.signal?.aborted) return
  }
}

/** A message that expires while it is paused has ended too: its batches go back to who sends, who ends them. */
async function releasePaused({ store }: Job): Promise<void> {
  await store.query(sql`
    update delivery_batches b
    set state = 'queued', lease_holder = null, available_at = peyk_now(), was_unclear = was_unclear or lease_holder is not null
    from messages m
    where b.state = 'paused' and m.app_id = b.app_id and m.id = b.message_id and least(m.expires_at, b.expires_at) <= peyk_now()`)
}
