import type { SmsCredentials } from '#features/accounts/credential-formats/sms.ts'
import type { ProviderOptions } from '../provider-options.ts'
import { openHttpGateway } from './http-gateway.ts'
import type { SmsProvider } from './sms-outcome.ts'
import { openTwilio } from './twilio.ts'

/** The way of one app to its SMS gateway. A phone number is no device: see provider.ts for those. */
export function openSms(credentials: SmsCredentials, options: Pick<ProviderOptions, 'endpoints' | 'now'>): SmsProvider {
  return credentials.kind === 'twilio' ? openTwilio(credentials, options) : openHttpGateway(credentials, options)
}
