import type { FastifyRequest } from 'fastify'
import { RequestError } from '#base/errors.ts'

/** Under which others reach the service: as it is set, else as this request did. */
export function baseUrlOf({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>, publicUrl?: string): string {
  const url = publicUrl ?? URL.parse(`${protocol}://${host}`)?.origin
  if (url !== undefined) return url
  throw new RequestError('malformed-http', 'The Host header names no host, and PEYK_PUBLIC_URL is not set.')
}
