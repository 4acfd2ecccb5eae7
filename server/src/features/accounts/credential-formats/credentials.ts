import type { ApnsCredentials } from './apns.ts'
import type { FcmCredentials } from './fcm.ts'
import type { SmsCredentials } from './sms.ts'
import type { WebPushCredentials } from './web-push.ts'

/** What each provider needs; see the reader of the same file for how it is sent. */
export interface CredentialsOf {
  fcm: FcmCredentials
  apns: ApnsCredentials
  webpush: WebPushCredentials
  sms: SmsCredentials
}
