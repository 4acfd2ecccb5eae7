import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { CredentialProvider } from '../../accounts/providers/stored-provider.ts'

/** What was tried and waited for the provider is due now, or waits for its turn from now. Returns the number of batches. */
export async function wakeBatches(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  { provider }: { provider: CredentialProvider },
): Promise<number> {
  const rows = await db(ctx).query<{ count: number }>(sql`
    with woken as (
      update delivery_batches
      set available_at = case when paced_from is null then peyk_now() else available_at end,
        paced_from = case when paced_from is not null then least(paced_from, peyk_now()) end
      where app_id = ${ctx.app.id} and state = 'queued' and stream = any(${[provider, 'mixed']})
        and lease_holder is null and available_at > peyk_now() and attempts > 0
      returning 1
    )
    select count(*) as count from woken`)
  return rows[0]?.count ?? 0
}
