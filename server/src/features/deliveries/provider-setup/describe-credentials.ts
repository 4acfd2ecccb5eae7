import type { CredentialsOf } from '../../accounts/credential-formats/credentials.ts'
import type { SmsCredentials } from '../../accounts/credential-formats/sms.ts'
import type { CredentialProvider } from '../../accounts/providers/stored-provider.ts'
import type { Finding } from './finding.ts'
import { signs } from './try-key.ts'

/** What can be said of credentials without asking anybody. */
export function describeCredentials<P extends CredentialProvider>(
  provider: P,
  credentials: CredentialsOf[P],
): Finding[] {
  return describers[provider](credentials)
}

const describers: { [P in CredentialProvider]: (credentials: CredentialsOf[P]) => Finding[] } = {
  fcm: ({ projectId, clientEmail, privateKey }) => [
    {
      ok: true,
      text: `This is the service account ${clientEmail} of the Firebase project ${projectId}.`,
      code: 'service-account',
      values: { clientEmail, projectId },
    },
    keyFinding(signs({ pem: privateKey })),
  ],

  apns: ({ keyId, teamId, bundleId, environment, privateKey }) => [
    {
      ok: true,
      text: `This is the key ${keyId} of the team ${teamId}, for the app ${bundleId}.`,
      code: 'apns-key',
      values: { keyId, teamId, bundleId },
    },
    keyFinding(signs({ pem: privateKey })),
    { ok: true, text: environments[environment], code: environment },
  ],

  webpush: ({ publicKey, privateKey, subject }) => [
    {
      ok: true,
      text: `The key pair matches; its public key is ${publicKey}. Push services reach you at ${subject}.`,
      code: 'key-pair',
      values: { publicKey, subject },
    },
    keyFinding(signs({ publicKey, privateKey })),
  ],

  sms: (credentials) => [
    describeGateway(credentials),
    {
      ok: true,
      text: `At most ${credentials.dailyLimit} SMS are sent a day.`,
      code: 'sms-limit',
      values: { limit: String(credentials.dailyLimit) },
    },
  ],
}

const environments = {
  production:
    'The environment is production: apps from the App Store or TestFlight. An app run from Xcode is not reached.',
  sandbox: 'The environment is sandbox: apps run from Xcode. Apps from the App Store or TestFlight are not reached.',
}

function keyFinding(ok: boolean): Finding {
  return ok
    ? { ok, text: 'The private key can be read and signs.', code: 'key-signs' }
    : {
        ok,
        text: 'The private key does not work: the file is damaged. Create a new key and use that.',
        code: 'key-broken',
      }
}

/** Of a gateway's address only the origin: many carry a password in the rest. */
function describeGateway(credentials: SmsCredentials): Finding {
  if (credentials.kind === 'http') {
    const { origin } = new URL(credentials.url)
    const { method } = credentials
    return { ok: true, text: `SMS are sent to ${origin} with ${method}.`, code: 'sms-http', values: { origin, method } }
  }
  const { accountSid, sender } = credentials
  const [from, words] =
    'from' in sender
      ? [sender.from, sender.from]
      : [sender.messagingServiceSid, `the messaging service ${sender.messagingServiceSid}`]
  return {
    ok: true,
    text: `SMS are sent with the Twilio account ${accountSid}, from ${words}.`,
    code: 'sms-twilio',
    values: { accountSid, from },
  }
}
