import { hash } from 'node:crypto'

/** A UUIDv5 in the message's namespace: the same push sent again has the same id. */
export function apnsIdOf(messageId: string, installationNo: number): string {
  const name = Buffer.concat([Buffer.from(messageId.replaceAll('-', ''), 'hex'), Buffer.from(String(installationNo))])
  const digest = hash('sha1', name, 'hex')
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}
