import type * as contract from '@peyk/contract'
import { announceWork } from '#base/bus/wake.ts'
import { type OutwardContext, settle } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { checkSimulated } from '../../accounts/providers/check-simulated.ts'
import { findCredentials } from '../../accounts/providers/find-credentials.ts'
import { type ListedProvider, listProviders } from '../../accounts/providers/list-providers.ts'
import { readCredentials, type SentCredentials } from '../../accounts/providers/read-credentials.ts'
import { recordCheck } from '../../accounts/providers/record-check.ts'
import { setCredentials } from '../../accounts/providers/set-credentials.ts'
import type { CredentialProvider } from '../../accounts/providers/stored-provider.ts'
import { wakeBatches } from '../control/wake-batches.ts'
import { checkOf, examineCredentials } from './examine-credentials.ts'
import type { Finding } from './finding.ts'

export type SetProvider = contract.AnswerOf<typeof contract.setProvider>

/** Reads what was sent, asks the provider, and stores it when the provider takes it or, where nothing that works is lost, could not be asked. */
export async function setProvider<P extends CredentialProvider>(
  ctx: OutwardContext,
  { provider, sent }: { provider: P; sent: unknown },
): Promise<SetProvider> {
  const before = await findBefore(ctx, provider)
  const { credentials, options } = readSent(provider, sent, before.pair)
  const isSimulated = options.simulated
  checkSimulated(ctx, isSimulated)
  const examined = await examineCredentials(ctx, { provider, credentials, isSimulated })
  const { findings, verdict } = examined
  if (verdict === 'bad' && !options.force) {
    const { text } = findings.find(({ ok }) => !ok) as Finding
    throw new RequestError('credentials-refused', `Nothing was stored. ${text}`, { details: { findings } })
  }
  if (verdict === 'unasked' && before.works && !options.force) {
    const { text } = findings.find(({ ok }) => !ok) as Finding
    const message = `Nothing was stored. ${text} The stored credentials work; to replace them unchecked, send "force": true.`
    throw new RequestError('credentials-unchecked', message, { details: { findings } })
  }
  const answer = await settle(ctx, async (inner) => {
    const replacing = provider === 'webpush' && { replacing: before.version }
    const { version } = await setCredentials(inner, { provider, credentials, isSimulated, ...replacing })
    const check = checkOf(examined)
    if (check) await recordCheck(inner, { provider, version, check })
    if (before.isPaused) await wakeBatches(inner, { provider })
    const [stored] = await listProviders(inner, { providers: [provider] })
    return { ...(stored as ListedProvider), findings, ...warnings[verdict] }
  })
  announceWork(ctx.store)
  return answer
}

const warnings = {
  good: {},
  unasked: {
    warning: 'Stored, but the provider could not be asked. Check the credentials later.',
    warningCode: 'stored-unasked',
  },
  bad: {
    warning: 'Stored because force was given, although the provider refused the credentials.',
    warningCode: 'stored-by-force',
  },
} as const

/** What cannot be read is never stored, not even by force. */
function readSent<P extends CredentialProvider>(
  provider: P,
  sent: unknown,
  pair: Parameters<typeof readCredentials>[2],
): SentCredentials<P> {
  try {
    return readCredentials(provider, sent, pair)
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const { finding, ...details } = (error.details ?? {}) as { finding?: Pick<Finding, 'code' | 'values'> }
    const findings = [{ ok: false, text: error.message, ...finding }]
    throw new RequestError(error.code, error.message, { details: { ...details, findings } })
  }
}

async function findBefore(ctx: OutwardContext, provider: CredentialProvider) {
  const [[listed], stored] = [
    await listProviders(ctx, { providers: [provider] }),
    await findCredentials(ctx, { provider }),
  ]
  if (!listed || !stored) return { version: null, isPaused: false, works: false, pair: undefined }
  const pair = stored.provider === 'webpush' && {
    publicKey: String(listed.shown.publicKey),
    credentials: stored.credentials,
  }
  const isPaused = stored.paused !== undefined
  return {
    version: stored.version,
    isPaused,
    works: listed.check?.result === 'taken' && !isPaused,
    pair: pair || undefined,
  }
}
