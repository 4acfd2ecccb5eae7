import type { Finding } from '@peyk/contract'

type Code = NonNullable<Finding['code']>
type Values = Record<string, string>

const serviceAccount =
  'Use the service account file of Firebase: Project settings › Service accounts › Generate new private key.'
const appleKey = 'Use the .p8 file from Apple’s developer site: Keys › Apple Push Notifications service.'

/** What belongs into a field. */
const hints: Record<string, string> = {
  project_id: 'It is the id of the Firebase project, such as “shop-1a2b3”.',
  client_email: 'It is the address of the service account.',
  private_key: serviceAccount,
  token_uri: 'It is a URL such as https://oauth2.googleapis.com/token.',
  privateKey: appleKey,
  keyId: 'It is the ten capital letters and digits in AuthKey_<key id>.p8.',
  teamId: 'It is ten capital letters and digits: see Membership on Apple’s developer site.',
  bundleId: 'It is the bundle id of the app, such as com.example.shop.',
  subject: 'It is mailto:you@example.com or https://example.com, for push services to contact you.',
  accountSid: 'It is AC and 32 hexadecimal digits, not an API key.',
  authToken: 'It is the Auth Token of the Twilio account.',
  from: 'It is a number such as +15005550006, a short code, a name of at most 11 letters and digits, or a Messaging Service SID.',
  dailyLimit: 'It is a whole number of SMS per day, at most 10,000,000.',
  url: 'It is an https address without a user and password; {{to}} and {{text}} may stand in its path and query.',
  body: 'A GET has none; otherwise it is at most 16,384 characters.',
  headers: 'Each has a name and a value of visible ASCII characters; those of the connection are set by Peyk.',
  success: 'It has statuses such as [200, 202], a path with the value that must be there, or a text.',
}
const hintOf = (field = '') => (Object.hasOwn(hints, field) ? ` ${hints[field]}` : '')

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
  'key-signs': () => 'The private key can be read and signs.',
  'key-broken': () => 'The private key does not work: the file is damaged. Create a new key and use that.',
  'sms-http': ({ origin, method }) => `SMS are sent to ${origin} with ${method}.`,
  'sms-twilio': ({ accountSid, from }) => `SMS are sent with the Twilio account ${accountSid}, from ${from}.`,
  'sms-limit': ({ limit }) => `At most ${limit} SMS are sent a day.`,
  taken: (_, provider) => `${provider} accepts the credentials.`,
  'pair-signs': () => 'The key pair works. Push services are not asked: they see the key with each push.',
  'not-taken': (_, provider) => `${provider} refuses the credentials.`,
  unasked: (_, provider) => `${provider} could not be reached.`,
  paused: () => 'It is paused. Resume it when the cause is fixed.',
  undecryptable: () =>
    'The stored credentials cannot be decrypted: the key that they were encrypted with is missing. Enter them again.',
  'not-json': () => 'This is not a JSON object.',
  'field-missing': ({ field, label }) => `“${label}” is missing.${hintOf(field)}`,
  'field-form': ({ field, label }) => `“${label}” is not in the right form.${hintOf(field)}`,
  'file-legacy-key': () =>
    `This is a legacy server key or an API key; Google switched its interface off in 2024. ${serviceAccount}`,
  'file-xml': () => `This is an XML file such as GoogleService-Info.plist. ${serviceAccount}`,
  'file-android': () => `This is google-services.json, which belongs into the Android app. ${serviceAccount}`,
  'file-web': () => `This is the Firebase configuration of a web page. ${serviceAccount}`,
  'file-other': () => `This is not a service account file. ${serviceAccount}`,
  'push-certificate': () => `This is a push certificate (.p12 or .cer), which Apple replaced by keys. ${appleKey}`,
  'key-type': ({ field, label }) => `“${label}” is a key of another kind.${hintOf(field)}`,
  'key-certificate': ({ field, label }) => `“${label}” is a certificate, which has no private key.${hintOf(field)}`,
  'key-public': ({ field, label }) => `“${label}” is a public key.${hintOf(field)}`,
  'key-password': ({ label }) => `“${label}” is protected by a password. Use a key without one.`,
  'key-none': ({ field, label }) => `“${label}” has no line “-----BEGIN PRIVATE KEY-----”.${hintOf(field)}`,
  'key-cut': ({ label }) => `“${label}” cannot be read. It may have been cut or changed when it was copied.`,
  'not-a-pair': () => 'The public and the private key do not belong together.',
  'placeholder-missing': ({ name }) => `Neither the address nor the body has ${name}: the gateway would not know it.`,
  'placeholder-unknown': ({ name }) => `${name} is not known. Known are {{to}}, {{text}} and {{reference}}.`,
  'placeholder-bare': () =>
    'The body is not JSON, or {{to}}, {{text}} or {{reference}} stands in it without quotes around it.',
}
