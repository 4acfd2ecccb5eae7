import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto'

export interface ReceiverKeys {
  ecdh: ECDH
  publicKey: Buffer
  auth: Buffer
}

const headerBytes = 21
const keyBytes = 65
const tagBytes = 16

/** What a browser makes of an aes128gcm body [RFC 8188, RFC 8291]; undefined when it cannot read it. */
export function decryptPush(body: Buffer, keys: ReceiverKeys): Buffer | undefined {
  if (body.length < headerBytes + keyBytes + tagBytes + 1) return undefined
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const senderKey = body.subarray(headerBytes, headerBytes + keyBytes)
  const record = body.subarray(headerBytes + keyBytes)
  // A push is a single record.
  if (body[20] !== keyBytes || record.length > recordSize) return undefined
  try {
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.publicKey, senderKey])
    const shared = derive(keys.ecdh.computeSecret(senderKey), keys.auth, info, 32)
    const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(record.subarray(-tagBytes))
    return withoutPadding(Buffer.concat([decipher.update(record.subarray(0, -tagBytes)), decipher.final()]))
  } catch {
    return undefined
  }
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}

/** The content ends with 2, then zeros. */
function withoutPadding(content: Buffer): Buffer | undefined {
  let end = content.length - 1
  while (end >= 0 && content[end] === 0) end--
  return content[end] === 2 ? content.subarray(0, end) : undefined
}
