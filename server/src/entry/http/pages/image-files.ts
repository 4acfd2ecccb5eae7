import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '#base/errors.ts'
import { imageName } from '#features/images/image.ts'
import { ImageCache } from '#features/images/image-cache.ts'
import { limitByAddress } from '../gate/address-limit.ts'
import type { HttpServices } from '../http-services.ts'
import type { Observer } from '../operations/observe.ts'

const path = '/images/:name'

/**
 * Uploaded images, for phones and browsers, which have no token: the name is the hash of the content and cannot be
 * guessed. Whatever else a file may be, it is never anything but an image here.
 */
export function addImageFiles(
  app: FastifyInstance,
  services: Pick<HttpServices, 'config' | 'store' | 'now'>,
  observer: Observer,
): void {
  const cache = new ImageCache(services.store)
  const limit = limitByAddress(services, 'images')

  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    limit(request)
    const { name } = request.params as { name: string }
    const [, hash] = /^([0-9a-f]{64})\.[a-z]{3,4}$/.exec(name) ?? []
    const file = hash === undefined ? undefined : await cache.find(hash)
    if (!file || name !== imageName({ hash: hash as string, type: file.type }))
      throw new RequestError('not-found', 'There is no such image, or it was deleted.')
    const etag = `"${hash}"`
    reply.headers({
      'content-type': file.type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'inline',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=31536000, immutable',
      etag,
    })
    const isKnown = hasTag(request.headers['if-none-match'], etag)
    observer.observe(request, `${request.method} ${path}`, isKnown ? 304 : 200)
    return isKnown ? reply.status(304).send() : reply.send(file.content)
  }
  app.route({ method: ['GET', 'HEAD'], url: path, schema: { hide: true } as object, handler: send })
}

function hasTag(header: string | undefined, etag: string): boolean {
  return header?.trim() === '*' || (header?.includes(etag) ?? false)
}
