import { hash } from 'node:crypto'

const blockBytes = 64

/** HMAC-SHA-256 [RFC 2104] from single-shot hashes: a fifth of the cost of an Hmac object, paid for every push. */
export function createMac(secret: Buffer): (text: string) => Buffer {
  const pad = (byte: number) => {
    const block = Buffer.alloc(blockBytes, byte)
    for (const [index, value] of secret.entries()) block[index] = value ^ byte
    return block
  }
  const [inner, outer] = [pad(0x36), pad(0x5c)]
  return (text) => {
    const digest = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer')
    return hash('sha256', Buffer.concat([outer, digest]), 'buffer')
  }
}
