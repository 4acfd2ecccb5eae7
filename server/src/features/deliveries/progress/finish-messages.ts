import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { markFinished } from '../../messages/stored/mark-finished.ts'
import { leaveInOutbox } from '../../outbox/outbox.ts'
import { countDeliveries } from './count-deliveries.ts'
import { readDeliveryGroups } from './delivery-groups.ts'

type Job = Pick<Context, 'store' | 'now' | 'log' | 'external'>

interface Row {
  app_id: number
  label: string
  id: string
  track_id: string | null
  recipients: number
}

/** Notes which group messages have nothing left in the work-list, and tells who wants to know. */
export async function finishMessages(job: Job): Promise<void> {
  const done = await job.store.query<Row>(
    sql`select m.app_id, a.label, m.id, m.track_id, m.recipients
        from messages m join apps a using (app_id)
        where m.audience <> 'users' and m.finished_at is null and not exists (
          select from delivery_batches b
          where b.app_id = m.app_id and b.message_id = m.id and b.state in ('queued', 'paused'))
        limit 100`,
    'list-done-messages',
  )
  for (const row of done) await finish({ ...job, app: { id: row.app_id, label: row.label } }, row)
}

async function finish(ctx: Context, { id, track_id, recipients }: Row): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    const inner = { ...ctx, tx }
    if (!(await markFinished(inner, { id }))) return
    const { rows, waiting } = await readDeliveryGroups(inner, { id, recipients })
    const { states, reasons } = countDeliveries(recipients, rows, waiting)
    const counts = Object.fromEntries(Object.entries({ ...states, ...reasons }).filter(([, count]) => count > 0))
    const body = { messageId: id, ...(track_id !== null && { trackId: track_id }), recipients, counts }
    await leaveInOutbox(tx, ctx.store, [{ appId: ctx.app.id, kind: 'campaign.finished', at: ctx.now(), body }])
    ctx.log.info({ app: ctx.app.label, messageId: id, counts }, `a message to ${recipients} installations is done`)
  })
}
