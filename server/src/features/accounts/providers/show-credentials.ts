import { shownApnsCredentials } from '../credential-formats/apns.ts'
import type { CredentialsOf } from '../credential-formats/credentials.ts'
import { shownFcmCredentials } from '../credential-formats/fcm.ts'
import { shownSmsCredentials } from '../credential-formats/sms.ts'
import { shownWebPushCredentials } from '../credential-formats/web-push.ts'
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
