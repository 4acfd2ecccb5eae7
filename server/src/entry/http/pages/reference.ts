import swagger from '@fastify/swagger'
import * as contract from '@peyk/contract'
import type { FastifyInstance, FastifySchema } from 'fastify'
import Type from 'typebox'
import type { Route } from '../route.ts'
import { schemaForReaders } from './schema-for-readers.ts'

const groups: Record<string, string> = {
  Sending: 'Messages and notifications to users and to groups.',
  Tags: 'Tags of users, with or without a value.',
  Events: 'What users do, what they buy, and what that is worth.',
  Attributes: 'Values stored with users and with single installations.',
  'Promo codes': 'Files of codes, from which `{{ promoCode }}` gives one to each user.',
  Images: 'Images for notifications, stored and served by Peyk.',
  Messages: 'What was sent, with its results and delivery history.',
  Series: 'Messages that go again and again, by a rule.',
  Templates: 'Saved messages, which a send names by their id.',
  Categories: 'Kinds of messages, which users can refuse and apps can cap.',
  Preferences: 'Which categories a user wants.',
  'Installations and users': 'The devices of users, and all data of a user.',
  Segments: 'Groups of installations by rules.',
  Campaigns: 'Messages that share a `trackId`, and their results.',
  Data: 'All that happens, for a warehouse.',
  Webhooks: 'Signed calls that tell your backend what happens.',
  'The app': 'Settings of the app.',
  Providers: 'Credentials for FCM, APNs, Web Push and SMS.',
  Alerts: 'What needs attention.',
}

const introduction = `
Reach your application's users: messages, segments, tags, events, promo codes. Put an access token of your app into
*Authentication*, and every call on this page can be tried against this service. The [guide](/guide/) explains the rest.

- **Tokens** come from the panel (*Settings → Access tokens*) or from \`npx peyk token create\`. A token for back ends may call
  everything in its scopes; a client key, which is public, only what apps on devices call. In development,
  \`demo.json\` in the data folder has those of the demo app.
- **An answer of 200 means committed.** With an \`Idempotency-Key\` a request can be sent again safely: it has one effect.
- **Errors** have one shape, with a \`code\` for programs and a \`message\` for people; their \`Link\` header leads to
  the [list of codes](/guide/errors/).
- **Names that an endpoint does not know** are refused with \`unknown-field\`. The endpoints of the specification remove them
  instead, and name them in \`warnings\` and \`unknownFields\`.
- \`?dryRun=true\` on a send says who would get it, and sends nothing.
`.trim()

const names = new Map(Object.entries(contract).map(([name, value]) => [value as unknown, name]))

/** The API reference: OpenAPI 3.1 made from the contract, at /openapi.json. reference-page.ts shows it to people. */
export async function addReference(app: FastifyInstance, routes: readonly Route[]): Promise<void> {
  const used = [...new Set(routes.map((route) => route.endpoint.group))]
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Peyk',
        version: '0.1.0',
        description: introduction,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      // Wherever the document was read from.
      servers: [{ url: '/' }],
      tags: used.map((name) => ({ name, description: groups[name] as string })),
      components: {
        securitySchemes: {
          query: { type: 'apiKey', in: 'query', name: 'access_token', description: 'An access token of the app.' },
          header: { type: 'apiKey', in: 'header', name: 'X-Access-Token', description: 'An access token of the app.' },
          bearer: { type: 'http', scheme: 'bearer', description: 'An access token of the app.' },
        },
      },
      security: [{ query: [] }, { header: [] }, { bearer: [] }],
    },
  })
  app.get('/openapi.json', { schema: { hide: true } as object }, async () => app.swagger())
}

/** A route's contract as the schema that the reference is made from. Requests are checked elsewhere, by add-route.ts. */
export function routeSchema(route: Route): FastifySchema {
  if (route.isAlias) return { hide: true } as FastifySchema
  const { endpoint } = route
  const section = endpoint.section && `[In the interface](/guide/interface/#${endpoint.section})`
  const scopes = ['server', ...route.scopes, ...(route.hasEffect ? [] : ['read'])]
  const body = bodySchema(endpoint)
  return {
    operationId: names.get(endpoint),
    tags: [endpoint.group],
    summary: endpoint.summary,
    description: [endpoint.description, `Scopes: ${[...new Set(scopes)].join(', ')}.`, section]
      .filter(Boolean)
      .join('\n\n'),
    ...(endpoint.file && { consumes: ['multipart/form-data'] }),
    ...(endpoint.image && { consumes: ['image/*'] }),
    ...(endpoint.lines && { produces: ['application/x-ndjson'] }),
    ...(endpoint.download && { produces: ['text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet'] }),
    ...(body && { body: schemaForReaders(body) }),
    ...(endpoint.query && { querystring: schemaForReaders(endpoint.query) }),
    ...(endpoint.params && { params: schemaForReaders(endpoint.params) }),
    response: {
      200: {
        description: 'Done and committed.',
        ...schemaForReaders(endpoint.answer),
        examples: [endpoint.example.answer],
      },
      '4xx': schemaForReaders(contract.ErrorAnswer),
      503: schemaForReaders(contract.ErrorAnswer),
    },
  } as FastifySchema
}

function bodySchema({ body, maxBodies, onlyBodies, file, image, example }: Route['endpoint']) {
  if (image) return Type.String({ format: 'binary', description: 'The image itself.' })
  if (file) return Type.Object({ file: Type.String({ format: 'binary', description: 'The CSV file.' }) })
  if (!body) return undefined
  const examples = [example.body]
  if (maxBodies === undefined) return { ...body, examples }
  const many = Type.Array(body, { maxItems: maxBodies })
  return onlyBodies ? { ...many, examples } : { ...Type.Union([body, many]), examples }
}
