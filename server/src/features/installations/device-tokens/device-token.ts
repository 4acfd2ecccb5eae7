import { hash } from 'node:crypto'

const wordsForNone = new Set(['', 'disabled', 'not_exist'])

/** A token as clients send it: undefined when nothing was said, null for the words that mean "none". */
export function readDeviceToken(sent: unknown): string | null | undefined {
  if (sent === undefined || sent === null) return undefined
  const token = typeof sent === 'string' ? sent.trim() : JSON.stringify(sent)
  return wordsForNone.has(token.toLowerCase()) ? null : token
}

/**
 * What makes two tokens the same: for web push the endpoint, however its JSON is written; APNs tokens are hex in
 * either case. Hashed, because tokens can be too long for an index.
 */
export function hashDeviceToken(token: string): Buffer {
  return hash('sha256', identityOf(token), 'buffer')
}

function identityOf(token: string): string {
  if (/^[0-9a-f]{64,}$/i.test(token)) return token.toLowerCase()
  if (!token.startsWith('{')) return token
  try {
    const { endpoint } = JSON.parse(token) as { endpoint?: unknown }
    return typeof endpoint === 'string' ? endpoint : token
  } catch {
    return token
  }
}
