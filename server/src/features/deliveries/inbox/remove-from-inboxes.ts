import sql from 'sql-template-tag'
import type { Context } from '../../../base/context.ts'
import { firstIdAt } from '../../../base/ids.ts'

const rowsAtOnce = 5_000

/**
 * Takes messages out of the inboxes that were sent another way, too: they are not brought when the device connects. Of
 * those that are only in the inbox the message has to be cancelled. Returns how many these were.
 */
export async function removeFromInboxes(ctx: Pick<Context, 'store'>, { upTo }: { upTo: Date }): Promise<number> {
  for (let taken = 0; ; ) {
    const rows = await ctx.store.query(sql`
      update deliveries d set in_inbox = false
      from (
        select app_id, message_id, installation_no from deliveries
        where in_inbox and state <> 'queued' and message_id < ${firstIdAt(upTo.getTime() + 1)} limit ${rowsAtOnce}
      ) w
      where d.app_id = w.app_id and d.message_id = w.message_id and d.installation_no = w.installation_no
      returning 1`)
    taken += rows.length
    if (rows.length < rowsAtOnce) return taken
  }
}
