import sql from 'sql-template-tag'
import { type Context, db } from '../../../base/context.ts'
import type { CredentialProvider } from '../../accounts/providers/stored-provider.ts'

/** What waited for the provider is due now. Returns the number of batches. */
export async function wakeBatches(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  { provider }: { provider: CredentialProvider },
): Promise<number> {
  const rows = await db(ctx).query<{ count: number }>(sql`
    with woken as (
      update delivery_batches set available_at = peyk_now()
      where app_id = ${ctx.app.id} and state = 'queued' and stream = any(${[provider, 'mixed']})
        and lease_holder is null and available_at > peyk_now()
      returning 1
    )
    select count(*) as count from woken`)
  return rows[0]?.count ?? 0
}
