import { shownApnsCredentials } from '../credentials/apns.ts'
import type { CredentialsOf } from '../credentials/credentials.ts'
import { shownFcmCredentials } from '../credentials/fcm.ts'
import { shownSmsCredentials } from '../credentials/sms.ts'
import { shownWebPushCredentials } from '../credentials/web-push.ts'
import type { CredentialProvider } from './stored-provider.ts'

export type ShownCredentials = Record<string, string | number>

const showers: { [P in CredentialProvider]: (credentials: CredentialsOf[P]) => ShownCredentials } = {
  fcm: shownFcmCredentials,
  apns: shownApnsCredentials,
  webpush: shownWebPushCredentials,
  sms: shownSmsCredentials,
}

/** The part that is no secret. */
export function showCredentials<P extends CredentialProvider>(
  provider: P,
  credentials: CredentialsOf[P],
): ShownCredentials {
  return showers[provider](credentials)
}
