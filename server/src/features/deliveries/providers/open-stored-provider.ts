import type { Context } from '#base/context.ts'
import type { StoredProvider } from '../../accounts/providers/stored-provider.ts'
import type { Provider, ProviderName } from '../provider.ts'
import type { ApnsTokens } from './apns/apns-tokens.ts'
import { openProvider } from './open-provider.ts'

type Services = Pick<Context, 'now' | 'log' | 'external'> & { apnsTokens: ApnsTokens }

/** The provider with the app's stored credentials; undefined while it is paused. */
export function openStoredProvider(services: Services, stored: StoredProvider<ProviderName>): Provider | undefined {
  const { provider, credentials, paused, isSimulated } = stored
  const { real, simulated, webPushHosts } = services.external
  const endpoints = isSimulated ? simulated : real
  if (paused || !credentials || !endpoints) return undefined
  const { log, now, apnsTokens } = services
  return openProvider(provider, credentials, { endpoints, webPushHosts, log, now, apnsTokens })
}
