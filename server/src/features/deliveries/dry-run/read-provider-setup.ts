import type { Context } from '#base/context.ts'
import { listProviders } from '../../accounts/providers/list-providers.ts'
import { type ProviderName, providerNames } from '../provider.ts'

/** The providers that the app has credentials for. */
export interface ProviderSetup {
  providers: ReadonlySet<ProviderName>
  hasSms: boolean
  /** Why nothing goes out by a provider at the moment. */
  paused: ReadonlyMap<string, string>
}

export async function readProviderSetup(ctx: Context): Promise<ProviderSetup> {
  const listed = await listProviders(ctx)
  const names = new Set<string>(listed.map(({ provider }) => provider))
  return {
    providers: new Set(providerNames.filter((name) => names.has(name))),
    hasSms: names.has('sms'),
    paused: new Map(listed.flatMap(({ provider, paused }) => (paused ? [[provider, paused.reason] as const] : []))),
  }
}
