import { checker } from '@peyk/contract'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { RequestError } from '#base/errors.ts'

/**
 * [users-and-events.md#tags] The last two segments of the path, percent-decoded exactly once from the URL as it was
 * sent.
 */
export function rawSegments(request: FastifyRequest, schema: TSchema | undefined): [userId: string, tag: string] {
  const path = (request.raw.url as string).split('?', 1)[0] as string
  const segments = path.replace(/\/$/, '').split('/').slice(-2)
  const [userId, tag] = segments.map(decodeOnce) as [string, string]
  if (schema) {
    const checked = checker(schema)({ userId, tag })
    if (checked.fault)
      throw new RequestError('invalid-request', checked.fault.message, { details: { field: checked.fault.field } })
  }
  return [userId, tag]
}

function decodeOnce(segment: string): string {
  try {
    const text = decodeURIComponent(segment)
    if (!text.includes('\0')) return text
  } catch {
    // Falls through to the one error for both.
  }
  throw new RequestError(
    'invalid-request',
    `The path segment "${segment.slice(0, 80)}" is not percent-encoded UTF-8 text.`,
  )
}
