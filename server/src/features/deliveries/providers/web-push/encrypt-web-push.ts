import {
  createCipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPair,
  hash,
  type KeyObject,
  randomFillSync,
} from 'node:crypto'

/** Our side of the key agreement. One pair per message: its recipients differ by their own keys and by the salt. */
export interface LocalKey {
  privateKey: KeyObject
  /** 65 bytes: an uncompressed point. */
  publicKey: Buffer
}

/** A browser's side, as its subscription gives it. */
export interface RemoteKeys {
  p256dh: Buffer
  auth: Buffer
}

/** What fits into the 4096 bytes that push services must take: less the header and the tag. */
export const longestRecord = 4096 - 86 - 16

const recordSize = 4096
const saltBytes = 16
const publicKeyBytes = 65
const headerBytes = saltBytes + 4 + 1 + publicKeyBytes
const tagBytes = 16
const spkiPrefix = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex')
const keyInfo = Buffer.from('WebPush: info\0')
const contentKeyInfo = Buffer.from('Content-Encoding: aes128gcm\0\x01')
const nonceInfo = Buffer.from('Content-Encoding: nonce\0\x01')

export function createLocalKey(): Promise<LocalKey> {
  return new Promise((resolve, reject) => {
    generateKeyPair('ec', { namedCurve: 'P-256' }, (error, publicKey, privateKey) => {
      if (error) return reject(error)
      // As a JWK it costs a third of what it costs as DER.
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const point = Buffer.concat([uncompressed, Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
      resolve({ privateKey, publicKey: point })
    })
  })
}

/** A text as the one and last record of a message. */
export function toRecord(text: string): Buffer {
  return Buffer.from(`${text}\x02`)
}

/** RFC 8291 in one record of RFC 8188. The costly part, the key agreement, runs beside the main thread. Rejects when the key is no point. */
export async function encryptWebPush(
  record: Buffer,
  remote: RemoteKeys,
  local: LocalKey,
  salt: Buffer = nextSalt(),
): Promise<Buffer> {
  const secret = await agree(local.privateKey, remote.p256dh)
  const authKey = hmac(remote.auth, secret)
  const inputKey = hmac(authKey, Buffer.concat([keyInfo, remote.p256dh, local.publicKey, one]))
  const pseudoRandomKey = hmac(salt, inputKey)
  const contentKey = hmac(pseudoRandomKey, contentKeyInfo).subarray(0, 16)
  const nonce = hmac(pseudoRandomKey, nonceInfo).subarray(0, 12)

  const body = Buffer.allocUnsafe(headerBytes + record.length + tagBytes)
  salt.copy(body)
  body.writeUInt32BE(recordSize, saltBytes)
  body[saltBytes + 4] = publicKeyBytes
  local.publicKey.copy(body, saltBytes + 5)
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce)
  cipher.update(record).copy(body, headerBytes)
  cipher.final()
  cipher.getAuthTag().copy(body, headerBytes + record.length)
  return body
}

const one = Buffer.from([1])
const uncompressed = Buffer.from([4])

function agree(privateKey: KeyObject, point: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const publicKey = createPublicKey({ key: Buffer.concat([spkiPrefix, point]), format: 'der', type: 'spki' })
    diffieHellman({ privateKey, publicKey }, (error, secret) => (error ? reject(error) : resolve(secret)))
  })
}

const blockBytes = 64
const inner = Buffer.alloc(blockBytes + 256)
const outer = Buffer.alloc(blockBytes + 32)

/** HMAC-SHA-256 by hand: setting up OpenSSL's own costs six times as much as the two hashes. Keys are at most a block. */
function hmac(key: Buffer, data: Buffer): Buffer {
  for (let index = 0; index < blockBytes; index++) {
    const byte = key[index] ?? 0
    inner[index] = byte ^ 0x36
    outer[index] = byte ^ 0x5c
  }
  const length = blockBytes + data.copy(inner, blockBytes)
  hash('sha256', inner.subarray(0, length), 'buffer').copy(outer, blockBytes)
  return hash('sha256', outer, 'buffer')
}

const salts = Buffer.alloc(saltBytes * 256)
let usedSalts = salts.length

function nextSalt(): Buffer {
  if (usedSalts === salts.length) {
    randomFillSync(salts)
    usedSalts = 0
  }
  usedSalts += saltBytes
  return Buffer.from(salts.subarray(usedSalts - saltBytes, usedSalts))
}
