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
    `The key pair matches; its public key is ${publicKey}. Push services reach you at ${subject}.`,
  'key-signs': () => 'The private key works.',
  'key-broken': () => 'The private key does not work: the file is damaged. Create a new key and use that.',
  'sms-http': ({ origin, method }) => `SMS are sent to ${origin} with ${method}.`,
  'sms-twilio': ({ accountSid, from }) => `SMS are sent with the Twilio account ${accountSid}, from ${from}.`,
  'sms-limit': ({ limit }) => `At most ${limit} SMS are sent a day.`,
  taken: (_, provider) => `${provider} accepts the credentials.`,
  'pair-signs': () => 'The key pair works. Push services are not asked: they see the key with each push.',
  'not-taken': (_, provider) => `${provider} refuses the credentials.`,
  unasked: (_, provider) => `${provider} could not be reached.`,
  paused: () => 'It is paused. Resume it when the cause is fixed.',
}
