import sql, { raw } from 'sql-template-tag'
import type { Reach } from '../choose-path.ts'
import type { ProviderName } from '../provider.ts'

/** All that choosePath asks of an installation: any two of one class take the same path. */
export interface ReachClass {
  /** By the look of its token; null when it has none. */
  provider: ProviderName | null
  is_denied: boolean
  is_connected: boolean
  /** Connected, and the app is in the foreground. */
  is_open: boolean
}

/**
 * What decides the class of an installation `f` with its details `d` and its connection `c`, and its platform: the rules
 * of choose-path.ts. All are yes or no, so that the planner knows how few groups there are and does not sort the whole
 * audience for them.
 */
export const reachMarks = sql`
  d.token_provider is null as has_no_token,
  coalesce(d.token_provider = 'webpush', false) as is_webpush, coalesce(d.token_provider = 'apns', false) as is_apns,
  coalesce(d.is_denied, false) as is_denied,
  c.is_open is not null as is_connected, coalesce(c.is_open, false) as is_open,
  f.device_type = 'ios' as is_ios, f.device_type = 'web' as is_web`

export const reachMarkNames = raw('has_no_token, is_webpush, is_apns, is_denied, is_connected, is_open, is_ios, is_web')

export const reachColumns = sql`
  case when has_no_token then null when is_webpush then 'webpush' when is_apns then 'apns' else 'fcm' end as provider,
  is_denied, is_connected, is_open, case when is_ios then 'ios' when is_web then 'web' else 'android' end as platform`

const tokens: Record<ProviderName, Pick<Reach, 'deviceType' | 'token'>> = {
  fcm: { deviceType: 'android', token: 'fcm' },
  apns: { deviceType: 'ios', token: '0'.repeat(64) },
  webpush: { deviceType: 'web', token: '{}' },
}

/** One installation of the class, for choosePath to judge. */
export function reachOf({ provider, is_denied, is_connected, is_open }: ReachClass): Reach {
  return {
    ...(provider === null ? { deviceType: 'android', token: null } : tokens[provider]),
    tokenStatus: is_denied ? 'DENIED' : null,
    isConnected: is_connected,
    isOpen: is_open,
  }
}
