import { createECDH } from 'node:crypto'
import { readObject, readText, wrong } from './read-fields.ts'

/** The VAPID pair. Every subscription is bound to its public key: losing the pair loses them all. */
export interface WebPushCredentials {
  /** base64url of the 65 bytes of an uncompressed P-256 point, as `applicationServerKey`. */
  publicKey: string
  /** base64url of 32 bytes. */
  privateKey: string
  /** `mailto:…` or `https://…`: whom a push service asks when something is wrong. */
  subject: string
}

const publicKeyBytes = 65
const privateKeyBytes = 32

/** Reads `{ publicKey, privateKey, subject }`. Throws in plain words. */
export function readWebPushCredentials(sent: unknown): WebPushCredentials {
  const from = readObject(sent, 'publicKey, privateKey and subject')
  const publicKey = readBytes(from, 'publicKey', publicKeyBytes, 'the VAPID public key, 65 bytes as base64url')
  const privateKey = readBytes(from, 'privateKey', privateKeyBytes, 'the VAPID private key, 32 bytes as base64url')
  if (publicKey[0] !== 4)
    throw wrong('publicKey is not an uncompressed P-256 point: its first byte must be 4.', 'field-form', {
      field: 'publicKey',
    })
  if (!publicKeyOf(privateKey)?.equals(publicKey)) throw wrong('publicKey and privateKey are not a pair.', 'not-a-pair')
  return {
    publicKey: publicKey.toString('base64url'),
    privateKey: privateKey.toString('base64url'),
    subject: readSubject(readText(from, 'subject', 'mailto:you@example.com or https://example.com')),
  }
}

export function shownWebPushCredentials({ publicKey, subject }: WebPushCredentials): Record<string, string> {
  return { publicKey, subject }
}

/** A new pair, for an app that has none yet. */
export function createWebPushCredentials(subject: string): WebPushCredentials {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  const privateKey = Buffer.alloc(privateKeyBytes)
  const short = pair.getPrivateKey()
  short.copy(privateKey, privateKeyBytes - short.length)
  return { publicKey, privateKey: privateKey.toString('base64url'), subject: readSubject(subject) }
}

function readBytes(from: Record<string, unknown>, field: string, length: number, hint: string): Buffer {
  const text = readText(from, field, hint)
  if (text.includes('-----BEGIN')) throw wrong(`${field} is a PEM: expected ${hint}.`, 'field-form', { field })
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(text))
    throw wrong(`${field} is not base64url: expected ${hint}.`, 'field-form', { field })
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length === length) return bytes
  const swapped = bytes.length === publicKeyBytes || bytes.length === privateKeyBytes
  const message = `${field} has ${bytes.length} bytes: expected ${hint}.${swapped ? ' Were the two keys exchanged?' : ''}`
  throw wrong(message, 'field-form', { field })
}

function publicKeyOf(privateKey: Buffer): Buffer | undefined {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKey)
    return pair.getPublicKey()
  } catch {
    return undefined
  }
}

function readSubject(text: string): string {
  const isMail = /^mailto:[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text)
  const isSite = URL.canParse(text) && new URL(text).protocol === 'https:' && new URL(text).hostname !== 'localhost'
  if (isMail || isSite) return text
  throw wrong(
    'subject: expected mailto:you@example.com or https://example.com, for push services to contact you.',
    'field-form',
    { field: 'subject' },
  )
}
