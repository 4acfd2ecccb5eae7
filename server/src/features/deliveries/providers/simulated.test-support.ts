import { randomUUID } from 'node:crypto'
import type { FaultRule } from '@peyk/simulator/providers/fault-rule.ts'
import { createProviderKeys } from '@peyk/simulator/providers/keys.ts'
import { type Providers, type ProvidersOptions, startProviders } from '@peyk/simulator/providers/start-providers.ts'
import { silentLog } from '@peyk/test/database/test-store.ts'
import { afterAll, afterEach } from 'vitest'
import type { Endpoints } from '#base/external.ts'
import type { Payload } from '../../messages/payloads/payload.ts'
import type { Provider, Push } from '../provider.ts'
import type { ProviderOptions } from './provider-options.ts'

/** The simulated providers for one test file, without faults and records after each test. */
export async function startSimulated(options: Partial<ProvidersOptions> = {}): Promise<Providers> {
  const providers = await startProviders({ keys: await createProviderKeys(), ...options })
  afterEach(() => {
    providers.faults.clear()
    providers.record.clear()
  })
  afterAll(() => providers.close())
  return providers
}

export function endpointsOf(providers: Providers): Endpoints {
  const { fcmUrl, fcmTlsUrl, apnsUrl, webPushOrigin, smsUrl, ca } = providers
  return {
    fcm: fcmUrl,
    apns: { production: apnsUrl, sandbox: apnsUrl },
    twilio: smsUrl,
    oauthHost: 'oauth2.googleapis.com',
    ca,
    localOrigins: [fcmUrl, fcmTlsUrl, apnsUrl, webPushOrigin, smsUrl],
  }
}

export function optionsFor(providers: Providers, more: Partial<ProviderOptions> = {}): ProviderOptions {
  const nobody = () => Promise.reject(new Error('no APNs in this test'))
  return {
    endpoints: endpointsOf(providers),
    webPushHosts: [],
    log: silentLog,
    now: () => new Date(),
    apnsTokens: { get: nobody, renew: nobody },
    ...more,
  }
}

/** Opens providers that are closed when the file ends. Call it at the top of the file. */
export function createOpener<Args extends unknown[]>(open: (...args: Args) => Provider): (...args: Args) => Provider {
  const opened: Provider[] = []
  afterAll(async () => {
    await Promise.all(opened.map((provider) => provider.close()))
  })
  return (...args) => {
    const provider = open(...args)
    opened.push(provider)
    return provider
  }
}

/** A fault as the simulator takes it. */
export function rule({ action, ...fault }: Omit<FaultRule, 'then'> & { action?: FaultRule['then'] }): FaultRule {
  // biome-ignore lint/suspicious/noThenProperty: the simulator's name for it
  return { ...fault, ...(action !== undefined && { then: action }) }
}

export function pushTo(token: string, payload: Payload, more: Partial<Push> = {}): Push {
  return {
    messageId: randomUUID(),
    installationNo: 1,
    token,
    tokenChangedAt: null,
    payload,
    expiresAt: new Date(Date.now() + 3_600_000),
    ...more,
  }
}
