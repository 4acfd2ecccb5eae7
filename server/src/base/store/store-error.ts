import { RequestError } from '../errors.ts'

const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25P03',
  // It is a standby: where the primary is has changed.
  '25006',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08P01',
])
const awayMessages =
  /connection terminated|connection error|timeout exceeded when trying to connect|not queryable|Cannot use a pool after/i
const transientCodes = new Set(['40001', '40P01'])

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '')
}

/** A conflict with another transaction: the same work may succeed when it is done again. */
export function isTransient(error: unknown): boolean {
  return transientCodes.has(codeOf(error))
}

export function isStoreAway(error: unknown): boolean {
  if (error instanceof RequestError) return error.code === 'store-away'
  return error instanceof Error && (awayCodes.has(codeOf(error)) || awayMessages.test(error.message))
}

/** PostgreSQL's trouble as what a caller is told; anything else, which is our own fault, as it is. */
export function readStoreError(error: unknown): unknown {
  if (error instanceof RequestError) return error
  const code = codeOf(error)
  if (isStoreAway(error))
    return new RequestError('store-away', 'The database cannot be reached at the moment. Try again shortly.')
  if (code === '53100')
    return new RequestError('store-full', 'The disk of the database is full. Nothing was stored.', {
      retryAfterSeconds: 30,
    })
  if (isTransient(error) || code === '57014' || code === '55P03' || code.startsWith('53')) {
    return new RequestError('store-busy', 'The database is too busy for this request at the moment. Try again shortly.')
  }
  return error
}
