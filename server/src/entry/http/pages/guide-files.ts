import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServices } from '../http-services.ts'
import { BuiltFiles } from './built-files.ts'

const folder = new URL('../../../../../site/', import.meta.url)
const hidden = { schema: { hide: true } as object }
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
}

/** /guide/: the documents of docs/ as a site, built with the rest by `npm install`. */
export function addGuideFiles(app: FastifyInstance, services: Pick<HttpServices, 'config' | 'log'>): void {
  const files = new BuiltFiles('The guide', folder, services)
  const sendPage = (within: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    const [path, query] = request.url.split('?', 2) as [string, string | undefined]
    // The links of a page are written from there.
    if (!path.endsWith('/')) return reply.redirect(`${path}/${query === undefined ? '' : `?${query}`}`, 308)
    const { page } = request.params as { page?: string }
    reply.headers(headers)
    if (page === undefined) return files.sendPage(request, reply, within)
    const isThere = page !== 'assets' && (await files.hasFolder(within, page))
    if (!isThere) reply.status(404)
    return files.sendPage(request, reply, `${within}${isThere ? page : 'not-found'}/`)
  }
  const sendAsset = async (request: FastifyRequest, reply: FastifyReply) => {
    const { name } = request.params as { name: string }
    return files.sendAsset(request, reply, 'guide/assets/', name)
  }
  const method = ['GET', 'HEAD']
  app.route({ method, url: '/guide', ...hidden, handler: sendPage('guide/') })
  for (const folder of ['guide', 'guide/internals', 'guide/internals/decisions'])
    app.route({ method, url: `/${folder}/:page`, ...hidden, handler: sendPage(`${folder}/`) })
  app.route({ method, url: '/guide/assets/:name', ...hidden, handler: sendAsset })
}
