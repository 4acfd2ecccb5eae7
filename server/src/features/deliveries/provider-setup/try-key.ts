import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

const sample = Buffer.from('a text to sign')

/** Signs something and checks the signature. */
export function signs(given: { pem: string } | { publicKey: string; privateKey: string }): boolean {
  try {
    const key = 'pem' in given ? createPrivateKey(given.pem) : vapidKey(given)
    return verify('sha256', sample, createPublicKey(key), sign('sha256', sample, key))
  } catch {
    return false
  }
}

/** The public key is the byte 4 and the two coordinates of 32 bytes. */
function vapidKey({ publicKey, privateKey }: { publicKey: string; privateKey: string }): KeyObject {
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((bytes) => bytes.toString('base64url')) as [
    string,
    string,
  ]
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey } })
}
