import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { ErrorAnswer } from '@peyk/contract'
import type { FastifyInstance, FastifySchema } from 'fastify'
import Type from 'typebox'
import type { Route } from '../route.ts'

/** The API reference: OpenAPI 3.1 made from the contract, at /openapi.json, and pages to read and try at /docs. */
export async function addReference(app: FastifyInstance, routes: readonly Route[]): Promise<void> {
  const groups = [...new Set(routes.map((route) => route.endpoint.group))]
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Peyk',
        version: '0.1.0',
        description: "Reach your application's users: messages, segments, tags, events, promo codes.",
      },
      tags: groups.map((name) => ({ name })),
      components: {
        securitySchemes: {
          query: { type: 'apiKey', in: 'query', name: 'access_token' },
          header: { type: 'apiKey', in: 'header', name: 'X-Access-Token' },
          bearer: { type: 'http', scheme: 'bearer' },
        },
      },
      security: [{ query: [] }, { header: [] }, { bearer: [] }],
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', tryItOutEnabled: true },
    staticCSP: true,
  })
  app.get('/openapi.json', { schema: { hide: true } as object }, async () => app.swagger())
}

/** A route's contract as the schema that the reference is made from. Requests are checked elsewhere, by handle.ts. */
export function routeSchema(route: Route): FastifySchema {
  const { endpoint } = route
  const section = endpoint.section ? ` (specification ${endpoint.section})` : ''
  const scopes = ['server', ...route.scopes, ...(route.hasEffect ? [] : ['read'])]
  const body = bodySchema(endpoint)
  return {
    tags: [endpoint.group],
    summary: endpoint.summary + section,
    description: [endpoint.description, `Scopes: ${[...new Set(scopes)].join(', ')}.`].filter(Boolean).join('\n\n'),
    ...(endpoint.file && { consumes: ['multipart/form-data'] }),
    ...(body && { body }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(endpoint.params && { params: endpoint.params }),
    response: {
      200: { description: 'Done and committed.', ...endpoint.answer, examples: [endpoint.example.answer] },
      '4xx': ErrorAnswer,
      503: ErrorAnswer,
    },
  } as FastifySchema
}

function bodySchema({ body, maxBodies, onlyBodies, file, example }: Route['endpoint']) {
  if (file) return Type.Object({ file: Type.String({ format: 'binary', description: 'The CSV file.' }) })
  if (!body) return undefined
  const examples = [example.body]
  if (maxBodies === undefined) return { ...body, examples }
  const many = Type.Array(body, { maxItems: maxBodies })
  return onlyBodies ? { ...many, examples } : { ...Type.Union([body, many]), examples }
}
