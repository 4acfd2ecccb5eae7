import type { CredentialCheck } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { CredentialProvider } from './stored-provider.ts'

interface RecordedCheck {
  provider: CredentialProvider
  /** Of the credentials that were checked: nothing is recorded when others were set meanwhile. */
  version: string
  check: Omit<CredentialCheck, 'at'>
}

/** Keeps what came of a check with the credentials it was made of. */
export async function recordCheck(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now'>,
  { provider, version, check }: RecordedCheck,
): Promise<void> {
  await db(ctx).query(sql`
    update provider_credentials
    set checked_at = ${ctx.now()}, checked_version = ${version}, check_result = ${check.result},
      check_finding = ${JSON.stringify(check.finding)}
    where app_id = ${ctx.app.id} and provider = ${provider} and md5(sealed) = ${version}`)
}
