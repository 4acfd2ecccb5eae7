import { type OutwardContext, settle } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { settleAlert } from '../../accounts/alerts/settle-alert.ts'
import { findCredentials } from '../../accounts/providers/find-credentials.ts'
import { recordCheck } from '../../accounts/providers/record-check.ts'
import { type CredentialProvider, providerTitles } from '../../accounts/providers/stored-provider.ts'
import { checkOf, examineCredentials } from './examine-credentials.ts'
import type { Finding } from './finding.ts'

export interface CheckedProvider {
  ok: boolean
  findings: Finding[]
  warning?: string
  warningCode?: 'unasked'
}

/** Examines the credentials that are stored, and keeps what came of it. */
export async function checkProvider<P extends CredentialProvider>(
  ctx: OutwardContext,
  { provider }: { provider: P },
): Promise<CheckedProvider> {
  const stored = await findCredentials(ctx, { provider })
  if (!stored) throw new RequestError('not-found', `This app has no credentials for ${providerTitles[provider]}.`)
  const { credentials, isSimulated, paused, version } = stored
  if (!credentials) return { ok: false, findings: [{ ok: false, text: paused?.reason ?? '', code: 'undecryptable' }] }
  await settleAlert(ctx, { kinds: ['credentials-unreadable'], subject: provider })
  const examined = await examineCredentials(ctx, { provider, credentials, isSimulated })
  const { findings, verdict } = examined
  const pauses = paused
    ? [
        {
          ok: false,
          text: `It is paused: ${paused.reason.replace(/[.\s]*$/, '.')} Resume it when the cause is fixed.`,
          code: 'paused' as const,
          values: { detail: paused.reason },
        },
      ]
    : []
  return settle(ctx, async (inner) => {
    const check = checkOf(examined)
    if (check) await recordCheck(inner, { provider, version, check })
    return {
      ok: verdict === 'good',
      findings: [...findings, ...pauses],
      ...(verdict === 'unasked' && { warning: 'The provider could not be asked.', warningCode: 'unasked' as const }),
    }
  })
}
