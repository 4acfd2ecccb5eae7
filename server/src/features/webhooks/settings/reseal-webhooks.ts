import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { type Resealed, reseal } from '#base/secrets/reseal.ts'

/** Seals the secret of every webhook anew with the first key. */
export function resealWebhooks(ctx: Pick<Context, 'store' | 'tx' | 'external'>): Promise<Resealed> {
  return inTransaction(ctx, async (tx) => {
    const rows = await tx.query<{ app_id: number; label: string; webhook_id: string; sealed_secret: Buffer }>(sql`
      select w.app_id, a.label, w.webhook_id, w.sealed_secret from webhooks w join apps a using (app_id)
      order by w.app_id, w.webhook_id for update of w`)
    const unreadable: string[] = []
    for (const { app_id, label, webhook_id, sealed_secret } of rows) {
      const anew = reseal(ctx.external.secretBox, sealed_secret)
      if (anew) {
        await tx.query(sql`
          update webhooks set sealed_secret = ${anew} where app_id = ${app_id} and webhook_id = ${webhook_id}`)
      } else unreadable.push(`the secret of the webhook ${webhook_id} of the app ${label}`)
    }
    return { count: rows.length - unreadable.length, unreadable }
  })
}
