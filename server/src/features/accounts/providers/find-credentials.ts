import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import {
  type CredentialProvider,
  readStoredProvider,
  type StoredProvider,
  type StoredProviderRow,
} from './stored-provider.ts'

/** What the app has for a provider, opened; undefined when nothing was set. */
export async function findCredentials<P extends CredentialProvider>(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'external'>,
  { provider }: { provider: P },
): Promise<StoredProvider<P> | undefined> {
  const [row] = await db(ctx).query<StoredProviderRow>(
    sql`select app_id, provider, sealed, md5(sealed) as version, is_simulated, set_at, paused_at, paused_reason
        from provider_credentials where app_id = ${ctx.app.id} and provider = ${provider}`,
    'find-credentials',
  )
  return row && (readStoredProvider(row, ctx.external).stored as StoredProvider<P>)
}
