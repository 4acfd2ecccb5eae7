import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { firstIdAt } from '#base/ids.ts'

const rowsAtOnce = 5_000

/**
 * Removes messages from inboxes that were also sent another way, so that connecting devices do not get them again.
 * Messages that are only in an inbox have to be cancelled instead. Marks of recalled messages stay, because the device
 * still has to be notified.
 */
export async function removeFromInboxes(ctx: Pick<Context, 'store'>, { upTo }: { upTo: Date }): Promise<void> {
  for (let isMore = true; isMore; ) {
    const rows = await ctx.store.query(sql`
      update deliveries d set in_inbox = false
      from (
        select app_id, message_id, installation_no from deliveries q
        where in_inbox and state <> 'queued' and message_id < ${firstIdAt(upTo.getTime() + 1)}
          and not exists (select from recalls r where r.app_id = q.app_id and r.message_id = q.message_id)
        limit ${rowsAtOnce}
      ) w
      where d.app_id = w.app_id and d.message_id = w.message_id and d.installation_no = w.installation_no
      returning 1`)
    isMore = rows.length === rowsAtOnce
  }
}
