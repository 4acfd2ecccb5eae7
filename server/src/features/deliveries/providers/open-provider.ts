import type { ApnsCredentials } from '../../accounts/credential-formats/apns.ts'
import type { CredentialsOf } from '../../accounts/credential-formats/credentials.ts'
import type { FcmCredentials } from '../../accounts/credential-formats/fcm.ts'
import type { WebPushCredentials } from '../../accounts/credential-formats/web-push.ts'
import type { Outcome, Provider, ProviderName } from '../provider.ts'
import { openApns } from './apns/apns.ts'
import { openFcm } from './fcm/fcm.ts'
import type { ProviderOptions } from './provider-options.ts'
import { openWebPush } from './web-push/web-push.ts'

/** The way of one app to one provider. Nothing is asked before the first call; close it when the credentials change. */
export function openProvider<Name extends ProviderName>(
  name: Name,
  credentials: CredentialsOf[Name],
  options: ProviderOptions,
): Provider {
  const provider = openByName(name, credentials, options)
  const { checkToken } = provider

  /** A fault of our own must not stop the others of a batch: it is told, and the push waits. */
  const caught = (error: unknown): Outcome => {
    options.log.error({ err: error, provider: name }, 'a provider threw instead of answering')
    return {
      kind: 'later',
      retryAfterMs: ownFaultWaitMs,
      isForAll: false,
      detail: 'a fault of the service; see its log',
    }
  }
  return {
    name,
    ...(provider.isOfManyHosts && { isOfManyHosts: true }),
    send: (push) => provider.send(push).catch(caught),
    ...(checkToken && {
      checkToken: (token: string, changedAt: Date | null) => checkToken(token, changedAt).catch(caught),
    }),
    checkCredentials: () => provider.checkCredentials().catch(caught),
    close: () => provider.close(),
  }
}

const ownFaultWaitMs = 60_000

function openByName(name: ProviderName, credentials: CredentialsOf[ProviderName], options: ProviderOptions): Provider {
  switch (name) {
    case 'fcm':
      return openFcm(credentials as FcmCredentials, options)
    case 'apns':
      return openApns(credentials as ApnsCredentials, options)
    case 'webpush':
      return openWebPush(credentials as WebPushCredentials, options)
  }
}
