import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RequestError } from '#base/errors.ts'

/** Takes every body as the bytes it has, whatever the request calls them. For a scope of its own. */
export function addImageParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, ({ headers }, body, done) => {
    const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers
    if (encoding === 'identity' && !/^multipart\//i.test(type)) return done(null, body)
    const message = 'Send the image itself as the body, without a form around it and without compression.'
    done(new RequestError('unsupported-type', message))
  })
}

export function readImageBody({ body }: FastifyRequest): Buffer {
  if (Buffer.isBuffer(body)) return body
  throw new RequestError('invalid-image', 'The body is empty: send the image itself.', { details: { problem: 'type' } })
}
