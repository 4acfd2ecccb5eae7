import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServices } from '../http-services.ts'
import { BuiltFiles } from './built-files.ts'

const folder = new URL('../../../../../panel/', import.meta.url)
const hidden = { schema: { hide: true } as object }

/**
 * The panel: its page for every path under /panel, and what the page loads, whose names change with their content. A
 * nonce of each page's own lets its styles in, and no other.
 */
export function addPanelFiles(app: FastifyInstance, services: Pick<HttpServices, 'config' | 'log'>): void {
  const files = new BuiltFiles('The panel', folder, services)
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    // The paths of a page's own files are written from there.
    if (request.url.split('?', 1)[0] === '/panel') return reply.redirect('/panel/', 308)
    const nonce = randomBytes(16).toString('base64url')
    const page = withIconOf(services.config.mode, await files.page('index.html')).replaceAll('__NONCE__', nonce)
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(nonce),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    return reply.send(page)
  }
  const sendAsset = async (request: FastifyRequest, reply: FastifyReply) => {
    const { '*': name } = request.params as { '*': string }
    return files.sendAsset(request, reply, 'assets/', name)
  }
  const method = ['GET', 'HEAD']
  app.route({ method, url: '/panel', ...hidden, handler: sendPage })
  app.route({ method, url: '/panel/*', ...hidden, handler: sendPage })
  app.route({ method, url: '/panel/assets/*', ...hidden, handler: sendAsset })
}

/** A tab tells by its icon whether it is of development or of production. */
function withIconOf(mode: string, page: string): string {
  return page.replaceAll(/\s*<link rel="icon" data-mode="(\w+)"[^>]*>/g, (link, of) => (of === mode ? link : ''))
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' https: http: data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
