import type { SecretBox } from './secrets/secret-box.ts'

/** Where the providers are. */
export interface Endpoints {
  fcm: string
  apns: { production: string; sandbox: string }
  twilio: string
  /** The host that a service account's token_uri must have. */
  oauthHost: string
  /** A certificate that is trusted besides the system's: the simulator's. */
  ca?: string
  /** Origins that calls may go to although they are on this machine: the simulator's. */
  localOrigins: readonly string[]
}

/** What the service has to do with outside of its database. */
export interface External {
  secretBox: SecretBox
  /** Where users reach the service; undefined where it does not know. */
  publicUrl?: string | undefined
  real: Endpoints
  /** In development only, for credentials that the simulator issued. */
  simulated?: Endpoints
  /** Hosts of push services besides the known ones. */
  webPushHosts: readonly string[]
  /** In development only: where the virtual phones are, and whose users have them. */
  phones?: { simulatorUrl: string; appLabel: string }
  /** In development only: webhooks may go to this machine, and without TLS. */
  webhooksMayBeLocal?: boolean
}

export const realEndpoints: Endpoints = {
  fcm: 'https://fcm.googleapis.com',
  apns: { production: 'https://api.push.apple.com', sandbox: 'https://api.sandbox.push.apple.com' },
  twilio: 'https://api.twilio.com',
  oauthHost: 'oauth2.googleapis.com',
  localOrigins: [],
}
