import { randomBytes } from 'node:crypto'

export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('hex')}`
}
