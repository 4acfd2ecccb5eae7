import type { Context } from '#base/context.ts'
import { listCredentials } from '../../accounts/providers/list-credentials.ts'
import { openSms } from '../providers/sms/open-sms.ts'
import type { SmsProvider } from '../providers/sms/sms-outcome.ts'
import type { GatewayState } from './decide-fallback.ts'

type Services = Pick<Context, 'store' | 'now' | 'log' | 'external'>

/** How an app sends SMS. */
export interface SmsGateway {
  state: GatewayState
  provider?: SmsProvider
  version?: string
  dailyLimit: number
}

/** The gateways of these apps, as they are set at this moment. */
export async function findSmsGateways(services: Services, appIds: readonly number[]): Promise<Map<number, SmsGateway>> {
  const gateways = new Map<number, SmsGateway>(appIds.map((appId) => [appId, { state: 'none', dailyLimit: 0 }]))
  for (const stored of await listCredentials(services, { appIds })) {
    if (stored.provider !== 'sms') continue
    const { credentials, isSimulated, version } = stored
    const endpoints = isSimulated ? services.external.simulated : services.external.real
    if (stored.paused || !credentials || !endpoints) gateways.set(stored.appId, { state: 'paused', dailyLimit: 0 })
    else {
      const provider = openSms(credentials, { endpoints, now: services.now })
      gateways.set(stored.appId, { state: 'open', provider, version, dailyLimit: credentials.dailyLimit })
    }
  }
  return gateways
}
