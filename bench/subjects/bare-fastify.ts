import { randomUUID } from 'node:crypto'
import * as contract from '@peyk/contract'
import { checker } from '@peyk/contract'
import { timeOrderedId } from '@peyk/server/base/ids.ts'
import { openStore } from '@peyk/server/base/store/store.ts'
import { Authenticator, readToken } from '@peyk/server/entry/http/gate/authenticate.ts'
import { addBodyParsers } from '@peyk/server/entry/http/read/read-body.ts'
import { fastify } from 'fastify'

/**
 * The limit of an endpoint, as a process: the same body parser, the same check of the body's shape and of the token,
 * and nothing stored. What the service does more than this is its own cost.
 */
const answers = {
  '/api/installations/track': {
    endpoint: contract.track,
    answer: () => ({ queued: true, n: 1, id: timeOrderedId(Date.now()) }),
  },
  '/api/push/toUsers': { endpoint: contract.toUsers, answer: () => ({ id: timeOrderedId(Date.now()), count: 1 }) },
  '/api/installations': { endpoint: contract.registerInstallation, answer: () => ({ id: randomUUID() }) },
}

const [port, url] = process.argv.slice(2) as [string, string]
const store = openStore(url, { poolSize: 2 })
const authenticator = new Authenticator(store, () => performance.now())

const app = fastify({ logger: false })
app.decorateRequest('bodyText', '')
addBodyParsers(app)
app.addHook('onRequest', (request, _reply, done) => {
  if (request.url === '/ready') return done()
  const found = authenticator.find(readToken(request))
  if (found instanceof Promise) found.then(() => done(), done)
  else done()
})
app.get('/ready', () => ({ status: 'ready' }))
for (const [path, { endpoint, answer }] of Object.entries(answers)) {
  const check = checker(endpoint.body as NonNullable<typeof endpoint.body>)
  app.post(path, async (request, reply) => {
    const { fault } = check(request.body)
    return fault ? reply.status(400).send(fault) : answer()
  })
}
await app.listen({ host: '127.0.0.1', port: Number(port) })
