import { createPrivateKey, createPublicKey, generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { createCertificate } from './certificate.ts'

const generate = promisify(generateKeyPair)

/** What has to be the same after a restart: JSON, to be kept like any secret. */
export interface ProviderKeys {
  /** 32 bytes as base64url: from it come all device tokens. */
  secret: string
  fcm: { projectId: string; clientEmail: string; privateKeyId: string; privateKey: string }
  apns: { keyId: string; teamId: string; bundleId: string; environment: 'production' | 'sandbox'; privateKey: string }
  sms: { accountSid: string; authToken: string; from: string; apiKey: string }
  tls: { key: string; certificate: string }
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

function randomName(length: number): string {
  return Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')
}

export async function createProviderKeys(now = new Date()): Promise<ProviderKeys> {
  const [rsa, apns] = await Promise.all([
    generate('rsa', { modulusLength: 2048 }),
    generate('ec', { namedCurve: 'P-256' }),
  ])
  const projectId = `simulated-${randomBytes(3).toString('hex')}`
  return {
    secret: randomBytes(32).toString('base64url'),
    fcm: {
      projectId,
      clientEmail: `firebase-adminsdk-sim@${projectId}.iam.gserviceaccount.com`,
      privateKeyId: randomBytes(20).toString('hex'),
      privateKey: rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    },
    apns: {
      keyId: randomName(10),
      teamId: randomName(10),
      bundleId: 'com.example.simulated',
      environment: 'production',
      privateKey: apns.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    },
    sms: {
      accountSid: `AC${randomBytes(16).toString('hex')}`,
      authToken: randomBytes(16).toString('hex'),
      from: '+15005550006',
      apiKey: randomBytes(16).toString('hex'),
    },
    tls: await createCertificate(now),
  }
}

export function publicKeyOf(privateKeyPem: string) {
  return createPublicKey(createPrivateKey(privateKeyPem))
}
