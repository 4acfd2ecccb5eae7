import type { Credentials } from '../providers/credentials.ts'
import type { Providers } from '../providers/start-providers.ts'

/** What a service in another process needs in order to use the simulated providers. */
export interface SimulatedProviders {
  endpoints: {
    /** HTTP/2 over TLS; `fcmPlain` is the same without. */
    fcm: string
    fcmPlain: string
    apns: { production: string; sandbox: string }
    webPush: string
    twilio: string
    oauthHost: string
    localOrigins: string[]
  }
  /** PEM of the certificate to trust. */
  ca: string
  /** They are worth nothing anywhere else. */
  credentials: Credentials
}

export function describeProviders(providers: Providers): SimulatedProviders {
  const { fcmUrl, fcmTlsUrl, apnsUrl, oauthUrl, webPushOrigin, smsUrl, ca, credentials } = providers
  const local = [fcmUrl, fcmTlsUrl, apnsUrl, oauthUrl, webPushOrigin, smsUrl].map((url) => new URL(url).origin)
  return {
    endpoints: {
      fcm: fcmTlsUrl,
      fcmPlain: fcmUrl,
      apns: { production: apnsUrl, sandbox: apnsUrl },
      webPush: webPushOrigin,
      twilio: smsUrl,
      oauthHost: new URL(oauthUrl).host,
      localOrigins: [...new Set(local)],
    },
    ca,
    credentials,
  }
}
