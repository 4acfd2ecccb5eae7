import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { CredentialProvider } from './stored-provider.ts'

/** The provider answered again as it should. */
export async function clearTrouble(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  { provider }: { provider: CredentialProvider },
): Promise<void> {
  await db(ctx).query(sql`
    update provider_credentials set trouble_since = null, trouble_reason = null
    where app_id = ${ctx.app.id} and provider = ${provider} and trouble_since is not null`)
}
