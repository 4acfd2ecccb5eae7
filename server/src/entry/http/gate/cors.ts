import type { FastifyInstance, FastifyReply } from 'fastify'

const exposed =
  'retry-after, x-request-id, link, idempotency-replayed, ratelimit-limit, ratelimit-remaining, ratelimit-reset'

/** Tokens, not cookies, let a request in: so any page may ask, and a key's own list of origins decides. */
export function allowOrigin(reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin)
  reply.header('vary', 'origin')
  reply.header('access-control-expose-headers', exposed)
}

export function answerPreflights(app: FastifyInstance): void {
  app.options('/api/*', { schema: { hide: true } as object }, (_request, reply) => {
    reply
      .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
      .header(
        'access-control-allow-headers',
        'content-type, x-access-token, authorization, idempotency-key, x-request-id',
      )
      .header('access-control-max-age', '86400')
      .status(204)
      .send()
  })
}
