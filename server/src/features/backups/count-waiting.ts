import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'

export interface Waiting {
  /** Messages to groups whose devices are not listed yet. */
  audiences: number
  /** Scheduled messages whose time has come. */
  scheduled: number
  /** Deliveries that are listed and not handed over. */
  deliveries: number
  /** Deliveries that wait for a device to connect. */
  inInbox: number
  /** Recalled messages that some devices still have to be notified of. */
  recalls: number
  sms: number
  webhookCalls: number
}

/** What would go out if nothing were held back. */
export async function countWaiting(ctx: Pick<Context, 'store'>): Promise<Waiting> {
  const [row] = await ctx.store.query<Waiting>(sql`
    select
      (select count(*) from delivery_batches where state = 'queued' and installation_nos is null) as audiences,
      (select count(*) from scheduled_messages where available_at <= peyk_now() and cancelled_at is null) as scheduled,
      (select coalesce(sum(cardinality(installation_nos)), 0) from delivery_batches where state = 'queued') as deliveries,
      (select count(*) from deliveries d
       where in_inbox and not exists (select from recalls r where r.app_id = d.app_id and r.message_id = d.message_id)) as "inInbox",
      (select count(*) from recalls r
       where listed_at is null or exists (
         select from recall_batches b where b.app_id = r.app_id and b.message_id = r.message_id)) as recalls,
      (select count(*) from sms_fallbacks where state = 'waiting') as sms,
      (select count(*) from webhook_calls where state = 'waiting') + (select count(*) from outbox) as "webhookCalls"`)
  return row as Waiting
}
