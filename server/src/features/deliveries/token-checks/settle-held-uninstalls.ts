import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { settleAlert } from '../../accounts/alerts/settle-alert.ts'
import { markUninstalled } from '../../installations/uninstalls/mark-uninstalled.ts'

const installationsPerCommit = 5_000

/** What a person decided: the installations are gone after all, or it was a mistake of the provider's or ours. */
export async function settleHeldUninstalls(
  ctx: Context,
  { provider, isGone }: { provider: string; isGone: boolean },
): Promise<{ count: number }> {
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    let count = 0
    if (isGone) await lockHeld(tx, ctx.app.id, provider)
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

/**
 * All at once, as markUninstalled does for each part: once the first is counted, whoever holds an installation of a later
 * one would wait for that count, and this for the installation.
 */
async function lockHeld(tx: Transaction, appId: number, provider: string): Promise<void> {
  const held = sql`(select installation_no from held_uninstalls where app_id = ${appId} and provider = ${provider})`
  await tx.query(sql`
    select count(*) from (
      select from installations where app_id = ${appId} and installation_no in ${held}
      order by installation_no for no key update) locked`)
  await tx.query(sql`
    select count(*) from (
      select from users
      where app_id = ${appId}
        and user_no in (select user_no from installations where app_id = ${appId} and installation_no in ${held})
      order by user_no for no key update) locked`)
}
