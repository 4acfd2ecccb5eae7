import type { ApnsCredentials } from '../../accounts/credentials/apns.ts'
import type { CredentialsOf } from '../../accounts/credentials/credentials.ts'
import type { FcmCredentials } from '../../accounts/credentials/fcm.ts'
import type { WebPushCredentials } from '../../accounts/credentials/web-push.ts'
import type { Provider, ProviderName } from '../provider.ts'
import { openApns } from './apns.ts'
import { openFcm } from './fcm.ts'
import type { ProviderOptions } from './provider-options.ts'
import { openWebPush } from './web-push.ts'

/** The way of one app to one provider. Nothing is asked before the first call; close it when the credentials change. */
export function openProvider<Name extends ProviderName>(
  name: Name,
  credentials: CredentialsOf[Name],
  options: ProviderOptions,
): Provider {
  switch (name) {
    case 'fcm':
      return openFcm(credentials as FcmCredentials, options)
    case 'apns':
      return openApns(credentials as ApnsCredentials, options)
    case 'webpush':
      return openWebPush(credentials as WebPushCredentials, options)
  }
  throw new Error(`there is no provider ${name}`)
}
