import type { Endpoints } from '#base/external.ts'
import type { Logger } from '#base/log.ts'
import type { ApnsTokens } from './apns/apns-tokens.ts'

/** What every provider stands on, besides its credentials. */
export interface ProviderOptions {
  endpoints: Endpoints
  /** Hosts of push services besides the known ones; `*.example.com` stands for every name below it. */
  webPushHosts: readonly string[]
  log: Logger
  now(): Date
  apnsTokens: ApnsTokens
}
