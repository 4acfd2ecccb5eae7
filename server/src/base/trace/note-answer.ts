import type { PoolAnswer } from '../http-client/pool.ts'
import { currentSpan } from './tracing.ts'

/**
 * Says of the call that is being traced whom it asks and what came back. Not by which path: with some providers the token
 * of the device is part of it.
 */
export async function noteAnswer(target: URL, method: string, answered: Promise<PoolAnswer>): Promise<PoolAnswer> {
  const span = currentSpan()
  if (span?.kind !== 'client') return answered
  const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
  span.set({ 'http.request.method': method, 'server.address': target.hostname, 'server.port': port })
  const answer = await answered
  if (answer.kind === 'answer') span.set({ 'http.response.status_code': answer.status })
  return answer
}
