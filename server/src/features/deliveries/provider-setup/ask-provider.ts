import { setTimeout as sleep } from 'node:timers/promises'
import type { OutwardContext } from '#base/context.ts'
import { refuseInTransaction } from '#base/outbound/refuse-in-transaction.ts'
import type { CredentialsOf } from '../../accounts/credential-formats/credentials.ts'
import type { SmsCredentials } from '../../accounts/credential-formats/sms.ts'
import type { CredentialProvider } from '../../accounts/providers/stored-provider.ts'
import type { Outcome, ProviderName } from '../provider.ts'
import { openApnsTokens } from '../providers/apns/apns-tokens.ts'
import { openProvider } from '../providers/open-provider.ts'
import { openSms } from '../providers/sms/open-sms.ts'
import type { SmsOutcome } from '../providers/sms/sms-outcome.ts'

export interface Asked<P extends CredentialProvider> {
  provider: P
  credentials: CredentialsOf[P]
  isSimulated: boolean
}

/** A person waits for the answer. */
const patienceMs = 20_000

/** Asks a provider, or the simulator in its place, whether it takes these credentials. */
export async function askProvider<P extends CredentialProvider>(
  ctx: OutwardContext,
  asked: Asked<P>,
  waitMs = patienceMs,
): Promise<Outcome | SmsOutcome> {
  refuseInTransaction()
  const { checkCredentials, close } = openAsked(ctx, asked)
  const timer = new AbortController()
  const late = { kind: 'unknown', detail: `no answer within ${waitMs / 1_000} s` } as const
  const waiting = sleep(waitMs, late, { signal: timer.signal }).catch(() => late)
  try {
    return await Promise.race([checkCredentials(), waiting])
  } finally {
    timer.abort()
    close().catch((error) => ctx.log.warn({ err: error }, 'the connections of a check could not be closed'))
  }
}

function openAsked<P extends CredentialProvider>(
  { store, now, log, external }: OutwardContext,
  { provider, credentials, isSimulated }: Asked<P>,
): { checkCredentials(): Promise<Outcome | SmsOutcome>; close(): Promise<void> } {
  const { real, simulated, webPushHosts, secretBox } = external
  const endpoints = isSimulated && simulated ? simulated : real
  if (provider === 'sms') {
    const gateway = openSms(credentials as SmsCredentials, { endpoints, now })
    return { checkCredentials: gateway.checkCredentials, close: async () => {} }
  }
  const apnsTokens = openApnsTokens({ store, secretBox, log })
  const options = { endpoints, webPushHosts, log, now, apnsTokens }
  return openProvider(provider as ProviderName, credentials as CredentialsOf[ProviderName], options)
}
