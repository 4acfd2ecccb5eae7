import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RequestError } from '#base/errors.ts'
import type { DemoTokens } from '#features/demo/open-demo-app.ts'
import { isOwnMachine } from '../gate/is-own-machine.ts'
import type { HttpServices } from '../http-services.ts'

const folder = new URL('../../../../../sdk/try/', import.meta.url)
const hidden = { schema: { hide: true } as object }
const pages: Record<string, { file: string; type: string }> = {
  '/try': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/try/try.js': { file: 'try.js', type: 'text/javascript; charset=utf-8' },
  '/try/icon.svg': { file: '../../panel/src/icon.svg', type: 'image/svg+xml' },
  '/try/try.css': { file: 'try.css', type: 'text/css; charset=utf-8' },
  '/try/look.css': { file: '../../site/look/look.css', type: 'text/css; charset=utf-8' },
  '/try/theme.js': { file: '../../site/look/theme.js', type: 'text/javascript; charset=utf-8' },
  '/try/inter.woff2': {
    file: '../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    type: 'font/woff2',
  },
}
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "img-src 'self' https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** /try, in development: registers the browser that opens it with the demo app, and shows what arrives. */
export function addTryPage(app: FastifyInstance, { demo }: Pick<HttpServices, 'demo'>): void {
  if (!demo) return
  for (const [url, { file, type }] of Object.entries(pages)) {
    app.get(url, hidden, async (_request, reply) => {
      reply.headers({
        'content-type': type,
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
      })
      return reply.send(await readFile(new URL(file, folder)))
    })
  }
  app.get('/try/app.json', hidden, async () => ({ appId: demo.appId, clientKey: demo.clientKey }))
  app.post('/try/send', hidden, async (request, reply) => {
    checkOwnPage(request)
    const answer = await send(app, demo, request)
    return reply.status(answer.statusCode).type('application/json; charset=utf-8').send(answer.body)
  })
}

/** As a back end does it, with the demo app's own token. */
function send(app: FastifyInstance, { accessToken }: DemoTokens, { body, headers, protocol }: FastifyRequest) {
  const { user, content, withButtons } = (body ?? {}) as Record<string, unknown>
  const actions = [
    { id: 'yes', title: 'Yes' },
    { id: 'later', title: 'Later' },
  ]
  const notification = {
    title: 'Peyk',
    clickUrl: `${protocol}://${headers.host}/try`,
    ...(withButtons === true && { actions }),
  }
  return app.inject({
    method: 'POST',
    url: '/api/push/toUsers',
    headers: { host: headers.host as string, 'x-access-token': accessToken },
    payload: { user, content, notification },
  })
}

/** Sending takes no token here, so that only the page itself may ask for it, from this machine and on its own name. */
function checkOwnPage(request: FastifyRequest): void {
  const { protocol } = request
  const { origin, host } = request.headers
  if (isOwnMachine(request) && origin === `${protocol}://${host}`) return
  throw new RequestError(
    'wrong-origin',
    'Only the try-it page, opened as localhost on this machine, may send without a token.',
  )
}
