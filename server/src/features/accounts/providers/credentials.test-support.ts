import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { realEndpoints } from '#base/external.ts'
import { createSecretBox } from '#base/secrets/secret-box.ts'

const rsaKeys: string[] = []
let accounts = 0

/** Two, in turn: it takes half a second to make one. */
function takeRsaKey(): string {
  const place = accounts++ % 2
  rsaKeys[place] ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string
  return rsaKeys[place]
}

/** A service account file whose key nobody knows; it has another one than the last. */
export function makeServiceAccount(changes: Record<string, unknown> = {}) {
  return {
    type: 'service_account',
    project_id: 'shop-1a2b3',
    private_key_id: randomBytes(20).toString('hex'),
    private_key: takeRsaKey(),
    client_email: 'push@shop-1a2b3.iam.gserviceaccount.com',
    token_uri: 'https://oauth2.googleapis.com/token',
    ...changes,
  }
}

export function makeApnsKey(changes: Record<string, unknown> = {}) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    keyId: 'ABC123DEFG',
    teamId: 'DEF123GHIJ',
    bundleId: 'com.example.shop',
    environment: 'production',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    ...changes,
  }
}

export const twilio = {
  kind: 'twilio',
  accountSid: 'AC0123456789abcdef0123456789abcdef',
  authToken: 'fedcba9876543210fedcba9876543210',
  from: '+15005550006',
}

export const externalWith = (...keys: Buffer[]) => ({
  secretBox: createSecretBox(keys),
  real: realEndpoints,
  webPushHosts: [],
})
