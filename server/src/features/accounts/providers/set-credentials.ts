import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { settleAlert } from '../alerts/settle-alert.ts'
import type { CredentialsOf } from '../credential-formats/credentials.ts'
import { checkSimulated } from './check-simulated.ts'
import { showCredentials } from './show-credentials.ts'
import type { CredentialProvider } from './stored-provider.ts'

/** Seals and stores them in place of what was there, not checked yet, and lets the provider go on when it was paused. */
export async function setCredentials<P extends CredentialProvider>(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now' | 'external'>,
  {
    provider,
    credentials,
    isSimulated,
    replacing,
  }: {
    provider: P
    credentials: CredentialsOf[P]
    isSimulated: boolean
    /** The version that they were made from, null for none: refused when another came in between. */
    replacing?: string | null
  },
): Promise<{ version: string }> {
  checkSimulated(ctx, isSimulated)
  const sealed = ctx.external.secretBox.seal(JSON.stringify(credentials))
  const shown = JSON.stringify(showCredentials(provider, credentials))
  return inTransaction(ctx, async (tx) => {
    const [stored] = await tx.query<{ version: string }>(sql`
      insert into provider_credentials as c (app_id, provider, sealed, shown, is_simulated, set_at)
      values (${ctx.app.id}, ${provider}, ${sealed}, ${shown}, ${isSimulated}, ${ctx.now()})
      on conflict (app_id, provider) do update
      set sealed = excluded.sealed, shown = excluded.shown, is_simulated = excluded.is_simulated,
        set_at = excluded.set_at, paused_at = null, paused_reason = null,
        checked_at = null, checked_version = null, check_result = null, check_finding = null,
        trouble_since = null, trouble_reason = null
      where ${replacing === undefined} or md5(c.sealed) = ${replacing ?? null}
      returning md5(c.sealed) as version`)
    if (!stored) {
      throw new RequestError(
        'already-exists',
        'The credentials were changed at the same moment. Check them, and try again.',
      )
    }
    await settleAlert({ ...ctx, tx }, { kinds: aboutCredentials, subject: provider })
    return stored
  })
}

const aboutCredentials = ['provider-paused', 'credentials-unreadable', 'wrong-environment'] as const
