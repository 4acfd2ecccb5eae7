import type { Context } from '../../../base/context.ts'
import { listCredentials } from '../../accounts/providers/list-credentials.ts'
import { openSms } from '../providers/sms/open-sms.ts'
import type { SmsProvider } from '../providers/sms/sms-outcome.ts'
import type { SmsWay } from './decide-fallback.ts'

type Services = Pick<Context, 'store' | 'now' | 'log' | 'external'>

/** How an app sends SMS. */
export interface OpenWay {
  way: SmsWay
  provider?: SmsProvider
  version?: string
  dailyLimit: number
}

/** The gateways of these apps, as they are set at this moment. */
export async function findSmsWays(services: Services, appIds: readonly number[]): Promise<Map<number, OpenWay>> {
  const ways = new Map<number, OpenWay>(appIds.map((appId) => [appId, { way: 'none', dailyLimit: 0 }]))
  for (const stored of await listCredentials(services, { appIds })) {
    if (stored.provider !== 'sms') continue
    const { credentials, isSimulated, version } = stored
    const endpoints = isSimulated ? services.external.simulated : services.external.real
    if (stored.paused || !credentials || !endpoints) ways.set(stored.appId, { way: 'paused', dailyLimit: 0 })
    else {
      const provider = openSms(credentials, { endpoints, now: services.now })
      ways.set(stored.appId, { way: 'open', provider, version, dailyLimit: credentials.dailyLimit })
    }
  }
  return ways
}
