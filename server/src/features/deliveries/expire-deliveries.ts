import sql from 'sql-template-tag'
import type { Context } from '../../base/context.ts'
import { advanceDeliveries } from './advance-deliveries.ts'

type Job = Pick<Context, 'store' | 'now'> & { signal?: AbortSignal }

interface Row {
  app_id: number
  message_id: string
  installation_no: number
}

const rowsPerCommit = 5_000

/** [choice 23] What waited for its installation until the message expired has ended. */
export async function expireDeliveries(job: Job): Promise<void> {
  for (;;) {
    const count = await job.store.transaction(async (tx) => {
      const rows = await tx.query<Row>(
        sql`select d.app_id, d.message_id, d.installation_no
            from deliveries d cross join lateral (
              select 1 from messages m
              where m.app_id = d.app_id and m.id = d.message_id and m.expires_at <= ${job.now()} offset 0
            ) expired
            where d.state = 'queued' limit ${rowsPerCommit}`,
      )
      await advanceDeliveries(
        tx,
        rows.map((row) => ({
          appId: row.app_id,
          messageId: row.message_id,
          installationNo: row.installation_no,
          state: 'ended',
          reason: 'expired',
          at: job.now(),
        })),
      )
      return rows.length
    })
    if (count < rowsPerCommit || job.signal?.aborted) return
  }
}
