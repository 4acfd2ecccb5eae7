import sql from 'sql-template-tag'
import { type Context, inTransaction } from '../../base/context.ts'
import { settleAlert } from '../accounts/settle-alert.ts'
import { markUninstalled } from '../installations/mark-uninstalled.ts'

const installationsPerCommit = 5_000

/** What a person decided: the installations are gone after all, or it was a mistake of the provider's or ours. */
export async function settleHeldUninstalls(
  ctx: Context,
  { provider, isGone }: { provider: string; isGone: boolean },
): Promise<{ count: number }> {
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    let count = 0
    for (;;) {
      const rows = await tx.query<{ installation_no: number; device_token: string }>(sql`
        delete from held_uninstalls h using (
          select installation_no from held_uninstalls
          where app_id = ${ctx.app.id} and provider = ${provider} order by installation_no limit ${installationsPerCommit}
        ) first
        where h.app_id = ${ctx.app.id} and h.provider = ${provider} and h.installation_no = first.installation_no
        returning h.installation_no, h.device_token`)
      if (rows.length === 0) break
      const installations = rows.map((row) => ({ installationNo: row.installation_no, deviceToken: row.device_token }))
      count += isGone ? (await markUninstalled(inner, { installations })).count : rows.length
    }
    await settleAlert(inner, { kinds: ['mass-invalidation', 'wrong-environment'], subject: provider })
    return { count }
  })
}
