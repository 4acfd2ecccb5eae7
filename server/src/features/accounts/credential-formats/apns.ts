import { readObject, readText, wrong } from './read-fields.ts'
import { readPem, readPrivateKey } from './read-private-key.ts'

/** A key for token-based authentication, and the app it pushes for. */
export interface ApnsCredentials {
  keyId: string
  teamId: string
  bundleId: string
  environment: 'production' | 'sandbox'
  privateKey: string
}

const keyHint = "the text of the .p8 file from Apple's developer site (Keys › Apple Push Notifications service)"

/** Reads `{ keyId, teamId, bundleId, environment, privateKey }`. Throws in plain words. */
export function readApnsCredentials(sent: unknown): ApnsCredentials {
  const from = readObject(sent, 'keyId, teamId, bundleId, environment and privateKey')
  const privateKey = readP8(from)
  const keyId = readText(from, 'keyId', 'the ten characters of the key id, as in AuthKey_<key id>.p8')
  if (!/^[A-Z0-9]{10}$/.test(keyId))
    throw wrong('keyId is not ten capital letters and digits, as in AuthKey_<key id>.p8.', 'field-form', {
      field: 'keyId',
    })
  const teamId = readText(from, 'teamId', 'the ten characters of the team id')
  if (!/^[A-Z0-9]{10}$/.test(teamId))
    throw wrong(
      "teamId is not ten capital letters and digits: see Membership on Apple's developer site.",
      'field-form',
      { field: 'teamId' },
    )
  const bundleId = readText(from, 'bundleId', 'the bundle id of the app, such as com.example.shop')
  if (!/^[A-Za-z0-9.-]{1,155}$/.test(bundleId))
    throw wrong('bundleId is not a bundle id such as com.example.shop.', 'field-form', { field: 'bundleId' })
  const environment = from.environment
  if (environment !== 'production' && environment !== 'sandbox') {
    throw wrong(
      'environment: expected "production" (App Store, TestFlight) or "sandbox" (run from Xcode).',
      'field-form',
      { field: 'environment' },
    )
  }
  return { keyId, teamId, bundleId, environment, privateKey }
}

export function shownApnsCredentials({ privateKey: _, ...shown }: ApnsCredentials): Record<string, string> {
  return shown
}

function readP8(from: Record<string, unknown>): string {
  if (from.privateKey === undefined && ('p12' in from || 'certificate' in from)) throw aCertificate()
  const text = readText(from, 'privateKey', keyHint)
  if (isPkcs12(text) || /-----BEGIN CERTIFICATE-----/.test(text)) throw aCertificate()
  const pem = readPem(text)
  const key = readPrivateKey(pem, 'privateKey', keyHint)
  if (key.asymmetricKeyType !== 'ec') {
    throw wrong(
      `privateKey is a key of type ${key.asymmetricKeyType}: expected ${keyHint}, which is an EC key.`,
      'key-type',
      { field: 'privateKey' },
    )
  }
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw wrong(
      `privateKey is an EC key of another curve (${key.asymmetricKeyDetails?.namedCurve}): expected P-256, ${keyHint}.`,
      'key-type',
      { field: 'privateKey' },
    )
  }
  return pem
}

const aCertificate = () => wrong(certificateMessage, 'push-certificate')
const certificateMessage = `This is a push certificate (.p12 or .cer), which Apple replaced by keys: expected ${keyHint}.`

/** A .p12 begins with SEQUENCE and the INTEGER 3, as bytes read as text or as base64. */
function isPkcs12(text: string): boolean {
  if (text.includes('-----BEGIN')) return false
  const bytes = /^[A-Za-z0-9+/=\s]+$/.test(text) ? Buffer.from(text, 'base64') : Buffer.from(text, 'latin1')
  return bytes[0] === 0x30 && bytes.subarray(1, 8).includes(Buffer.from([0x02, 0x01, 0x03]))
}
