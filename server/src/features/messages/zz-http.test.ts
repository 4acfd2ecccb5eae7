import * as contract from '@peyk/contract'
import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { loadConfig } from '../../base/config.ts'
import { addRoutes } from '../../entry/http/handle.ts'
import { addBodyParsers } from '../../entry/http/read-body.ts'
import { errorBody, readError } from '../../entry/http/answer-error.ts'
import { get, del, post } from '../../entry/http/route.ts'
import { createTestApp, createTestStore, createTestToken, silentLog } from '../../../../test/helpers/test-store.ts'
import { sendToUsers } from './send-to-users.ts'
import { notifyUser } from './notify-user.ts'
import { notifyUsers } from './notify-users.ts'
import { sendByQuery } from './send-by-query.ts'
import { findMessages } from './find-messages.ts'
import { getMessage } from '../deliveries/get-message.ts'
import { listDeliveries } from '../deliveries/list-deliveries.ts'
import { cancelMessage } from '../deliveries/cancel-message.ts'
import { addInstallation } from './installation-rows.test-support.ts'
const store = await createTestStore()
it('http', async () => {
  const ctx = await createTestApp(store); const token = await createTestToken(ctx)
  await addInstallation(ctx, '42')
  const app = fastify({ exposeHeadRoutes: false, routerOptions: { caseSensitive: false } })
  app.decorateRequest('token', undefined); app.decorateRequest('bodyText', '')
  app.setValidatorCompiler(() => () => true); app.setSerializerCompiler(() => (v) => JSON.stringify(v))
  app.setErrorHandler((e, r, reply) => { const x = readError(e); if (x.status >= 500) console.log(e); reply.status(x.status).send(errorBody(x, r.id)) })
  addBodyParsers(app)
  addRoutes(app, { config: loadConfig({}), store, log: silentLog, now: () => new Date() }, [
    post('/api/push/toUsers', ['push'], contract.toUsers, (c, { body }) => sendToUsers(c, body)),
    post('/api/push/notifyUsers', ['push'], contract.notifyUsers, (c, { body }) => notifyUsers(c, body)),
    post('/api/push/byQuery', ['push'], contract.byQuery, (c, { body }) => sendByQuery(c, body)),
    post('/api/push/notifyUser/:userId', ['push'], contract.notifyUser, (c, { body, params }) => notifyUser(c, { userId: params.userId as string, notification: body })),
    get('/api/messages', ['push'], contract.messages, (c, { query }) => findMessages(c, query)),
    get('/api/messages/:id', ['push'], contract.messageById, (c, { params }) => getMessage(c, { id: params.id as string })),
    get('/api/messages/:id/deliveries', ['push'], contract.deliveries, (c, { params, query }) => listDeliveries(c, { ...query, id: params.id as string })),
    del('/api/messages/:id', ['push'], contract.cancelMessage, (c, { params }) => cancelMessage(c, { id: params.id as string })),
  ])
  const call = async (method: any, url: string, body?: any, headers: any = {}) => {
    const r = await app.inject({ method, url, headers: { 'x-access-token': token, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }, ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }) })
    console.log(method, url, r.statusCode, r.body.slice(0, 330)); return r
  }
  const r = await call('POST', '/api/push/tousers', { user: 42, content: 'x', ttl: '60', idempotencyKey: 'k', clientId: null })
  await call('POST', '/api/push/toUsers', { user: 42, content: 'x', ttl: '60', idempotencyKey: 'k', clientId: null })
  await call('POST', '/api/push/toUsers', 'user=42&content=hi&data[id]=1&notification[title]=T&silent=1', { 'content-type': 'application/x-www-form-urlencoded' })
  await call('POST', '/api/push/toUsers', 'users[]=42&users[]=a&content=hi', { 'content-type': 'application/x-www-form-urlencoded' })
  await call('POST', '/api/push/toUsers', [{ user: 42, content: 'x' }, { user: 'b' }])
  await call('POST', '/api/push/toUsers', [{ user: 42, content: 'x' }, { users: ['b', '42'], content: 5 }])
  await call('POST', '/api/push/toUsers', Array.from({ length: 10001 }, () => ({ user: 'a', content: 'x' })))
  await call('POST', '/api/push/toUsers', [])
  await call('POST', '/api/push/byQuery', [{ target: {}, content: 'x' }])
  await call('POST', '/api/push/byQuery', 'target=%7B%7D&content=hi', { 'content-type': 'application/x-www-form-urlencoded' })
  await call('POST', '/api/push/byQuery', { segment: '{"all":[{"name":"deviceType","operator":"equal_to","value":"android"}]}', content: 'x', trackId: 5 })
  await call('POST', '/api/push/byQuery', { target: 'nosuch', content: 'x' })
  await call('POST', '/api/push/byQuery', { target: {}, user: '42', content: 'x' })
  await call('POST', '/api/push/notifyUsers', { target: {}, content: 'x' })
  await call('POST', '/api/push/notifyUser/42', { title: 'T', text: 'x', contentAvailable: 1 })
  await call('POST', '/api/push/notifyUser/42', { text: 'x' })
  await call('POST', '/api/push/notifyUser/*', { title: 'x' })
  const id = JSON.parse(r.body).id
  await call('GET', '/api/messages?limit=2&user=42')
  await call('GET', '/api/messages?limit=0')
  await call('GET', `/api/messages/${id}`)
  await call('GET', `/api/messages/${id}/deliveries?state=queued&limit=1`)
  await call('GET', `/api/messages/${id}/deliveries?state=nope`)
  await call('DELETE', `/api/messages/${id}`)
  await call('GET', `/api/messages/nope`)
  await call('POST', '/api/push/toUsers', { user: 'x', content: 'x', data: { a: '\ud83d\ude00' }, trackId: 'x\\"{},\'' , clientId: 'NULL' })
  await call('GET', '/api/messages?clientId=NULL')
  expect(1).toBe(1)
})
