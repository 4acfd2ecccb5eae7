import sql from 'sql-template-tag'
import type { Reach } from './choose-path.ts'
import type { ProviderName } from './provider.ts'

/** All that choosePath asks of an installation: any two of one class take the same path. */
export interface ReachClass {
  /** By the look of its token; null when it has none. */
  provider: ProviderName | null
  is_denied: boolean
}

/**
 * The class of an installation `f` with its details `d`, and its platform: the rules of choose-path.ts. A regular
 * expression of that length takes PostgreSQL ten times as long.
 */
export const reachColumns = sql`
  case
    when coalesce(d.device_token, '') = '' then null
    when left(d.device_token, 1) = '{' then 'webpush'
    when f.device_type <> 'android' and length(d.device_token) between 64 and 200
      and translate(d.device_token, '0123456789abcdefABCDEF', '') = '' then 'apns'
    else 'fcm'
  end as provider,
  coalesce(upper(d.token_status collate "C") = 'DENIED', false) as is_denied,
  case when f.device_type in ('ios', 'web') then f.device_type else 'android' end as platform`

const tokens: Record<ProviderName, Pick<Reach, 'deviceType' | 'token'>> = {
  fcm: { deviceType: 'android', token: 'fcm' },
  apns: { deviceType: 'ios', token: '0'.repeat(64) },
  webpush: { deviceType: 'web', token: '{}' },
}

/** One installation of the class, for choosePath to judge. */
export function reachOf({ provider, is_denied }: ReachClass): Reach {
  return {
    ...(provider === null ? { deviceType: 'android', token: null } : tokens[provider]),
    tokenStatus: is_denied ? 'DENIED' : null,
    isConnected: false,
  }
}
