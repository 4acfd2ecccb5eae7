import type { FastifyRequest } from 'fastify'
import { hashBody, type IdempotentRequest, readKey } from '#base/idempotency/idempotency.ts'
import type { Route } from '../route.ts'

/**
 * Whether an idempotency key is looked at. The key of a file is read with the file itself; the same image is stored
 * once anyway.
 */
export function takesKey({ method, endpoint }: Pick<Route, 'method' | 'endpoint'>): boolean {
  return (method === 'POST' || method === 'PUT') && !endpoint.file && !endpoint.image
}

/** What identifies a request that comes again [requests.md#idempotency]; undefined when it has no idempotency key. */
export function readIdempotentRequest(request: FastifyRequest, route: string): IdempotentRequest | undefined {
  const key = readKey(request.headers['idempotency-key'], request.body)
  if (key === undefined) return undefined
  return { route, key, bodyHash: hashBody(JSON.stringify(request.params) + request.bodyText) }
}
