import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServices } from '../http-services.ts'
import { BuiltFiles } from './built-files.ts'

const folder = new URL('../../../../../site/', import.meta.url)
const hidden = { schema: { hide: true } as object }

/** /docs: the API reference for people, who can try every call there with a token of theirs. */
export function addReferencePage(app: FastifyInstance, services: Pick<HttpServices, 'config' | 'log'>): void {
  const files = new BuiltFiles('The API reference', folder, services)
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    // The paths of a page's own files are written from there.
    if (request.url.split('?', 1)[0] === '/docs') return reply.redirect('/docs/', 308)
    const nonce = randomBytes(16).toString('base64url')
    const page = (await files.page('docs/index.html')).replaceAll('__NONCE__', nonce)
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(nonce),
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    return reply.send(page)
  }
  const sendAsset = async (request: FastifyRequest, reply: FastifyReply) => {
    const { name } = request.params as { name: string }
    return files.sendAsset(request, reply, 'docs/assets/', name)
  }
  const method = ['GET', 'HEAD']
  app.route({ method, url: '/docs', ...hidden, handler: sendPage })
  app.route({ method, url: '/docs/assets/:name', ...hidden, handler: sendAsset })
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // Scalar writes some of its places and widths into style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
