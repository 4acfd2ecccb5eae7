import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const keyIdBytes = 4
const nonceBytes = 12
const tagBytes = 16

/** Seals what is stored and must not be read from a copy of the database. */
export interface SecretBox {
  seal(secret: string): Buffer
  /** Throws when it was sealed with a key that this box does not have. */
  open(sealed: Buffer): string
}

export class UnknownKeyError extends Error {}

/** AES-256-GCM: key id ‖ nonce ‖ ciphertext ‖ tag. The first key seals; the others open what was sealed before a change. */
export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  const byId = new Map(keys.map((key) => [idOf(key).toString('hex'), key]))
  const [first] = keys
  if (!first) throw new Error('a secret box needs a key')
  return {
    seal(secret) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', first, nonce)
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([idOf(first), nonce, ciphertext, cipher.getAuthTag()])
    },
    open(sealed) {
      const keyId = sealed.subarray(0, keyIdBytes).toString('hex')
      const key = byId.get(keyId)
      if (!key)
        throw new UnknownKeyError(
          `A stored secret was sealed with the key ${keyId}, which is not among the keys given.`,
        )
      const nonce = sealed.subarray(keyIdBytes, keyIdBytes + nonceBytes)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      decipher.setAuthTag(sealed.subarray(-tagBytes))
      return (
        decipher.update(sealed.subarray(keyIdBytes + nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
      )
    },
  }
}

function idOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, keyIdBytes)
}
