import type { Finding } from '@peyk/contract'

type Code = NonNullable<Finding['code']>
type Values = Record<string, string>

/** What the credential doctor found, by its codes. What a provider said is quoted after it. */
export const findingsEn: Record<Code, (values: Values, provider: string) => string> = {
  'service-account': ({ clientEmail, projectId }) =>
    `This is the service account ${clientEmail} of the Firebase project ${projectId}.`,
  'apns-key': ({ keyId, teamId, bundleId }) =>
    `This is the key ${keyId} of the team ${teamId}, for the app ${bundleId}.`,
  production: () =>
    'The environment is production: apps from the App Store or TestFlight. An app run from Xcode is not reached.',
  sandbox: () =>
    'The environment is sandbox: apps run from Xcode. Apps from the App Store or TestFlight are not reached.',
  'key-pair': ({ publicKey, subject }) =>
    `The pair fits together; its public key is ${publicKey}. Push services reach you at ${subject}.`,
  'key-signs': () => 'Its private key signs.',
  'key-broken': () => 'Its private key does not sign: the file is damaged. Make a new key and set that.',
  'sms-http': ({ origin, method }) => `SMS go to ${origin} by ${method}.`,
  'sms-twilio': ({ accountSid, from }) => `SMS go out by the Twilio account ${accountSid}, from ${from}.`,
  'sms-limit': ({ limit }) => `At most ${limit} SMS go out a day.`,
  taken: (_, provider) => `${provider} takes them.`,
  'pair-signs': () => 'The key pair signs. Push services are not asked: they learn the key with each push.',
  'not-taken': (_, provider) => `${provider} does not take them.`,
  unasked: (_, provider) => `${provider} could not be asked.`,
  paused: () => 'It is paused. Resume it when the cause is gone.',
}
