import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Checklist } from '@peyk/contract'
import { createTestApp } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import { fastify } from 'fastify'
import sql from 'sql-template-tag'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Context } from '#base/context.ts'
import { raiseAlert } from '#features/accounts/alerts/raise-alert.ts'
import { openSession } from '#features/accounts/sessions/open-session.ts'
import { addDeliveries, addInstallation } from '#features/events/events.test-support.ts'
import { trackEvent } from '#features/events/track/track-event.ts'
import { sendByQuery } from '#features/messages/send/send-by-query.ts'
import { recordReceipts } from '#features/receipts/record-receipts.ts'
import { closeEventStreams, openEventStream } from '../answer/event-stream.ts'

const { baseUrl, store, ctx } = await createTestServer({ env: { PEYK_TEST_DURATIONS: '{"heartbeatMs":100}' } })

async function signIn(app: Context) {
  const memberId = randomUUID()
  await store.query(sql`insert into members (member_id, email, password_hash) values (${memberId}, ${memberId}, '')`)
  await store.query(sql`
    insert into member_apps (app_id, member_id, role) values (${app.app.id}, ${memberId}, 'analyst')`)
  const { key } = await openSession(ctx, { memberId, browser: 'test', byLink: false })
  return { memberId, cookie: `peyk=${key}` }
}

/** The stream, event by event. */
async function listen(app: Context, query: string, cookie: string) {
  const url = `${baseUrl}/panel/api/apps/${app.app.label}/live?${query}`
  const response = await new Promise<IncomingMessage>((resolve) =>
    get(url, { headers: { cookie }, agent: false }, resolve),
  )
  if (response.statusCode !== 200) response.resume()
  const chunks = response.setEncoding('utf8')[Symbol.asyncIterator]()
  let text = ''
  const next = async <Data>(topic: string, isMeant: (data: Data) => boolean = () => true): Promise<Data> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const [, name, json] = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
        text = text.slice(end + 2)
        if (name !== topic) continue
        const data = JSON.parse(json as string)
        if (isMeant(data)) return data
        continue
      }
      const { value, done } = await chunks.next()
      if (done) throw new Error('the stream has ended')
      text += value
    }
  }
  return { response, next, stop: () => response.destroy() }
}

type Line = { id: string; states: Record<string, number> }

describe('the live stream', () => {
  it('tells of new messages, of what devices report, of events and of alerts', async () => {
    const { cookie } = await signIn(ctx)
    const phone = await addInstallation(ctx, 'sara')
    const live = await listen(ctx, 'topics=messages,events,alerts', cookie)
    expect(live.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(await live.next('alerts')).toEqual([])
    const sent = (await sendByQuery(ctx, { target: {}, content: 'Hello' })) as { id: string }
    await live.next<Line[]>('messages', (lines) => lines.some(({ id }) => id === sent.id))

    const watching = await listen(ctx, `topics=message&message=${sent.id}`, cookie)
    expect(await watching.next<Line>('message')).toMatchObject({ id: sent.id, states: { opened: 0 } })
    await addDeliveries(ctx, sent.id, [phone])
    const happenedAt = ctx.now()
    await recordReceipts(ctx, {
      installationId: phone.id,
      receipts: [{ messageId: sent.id, kind: 'opened', actionId: '', happenedAt }],
    })
    await watching.next<Line>('message', ({ states }) => states.opened === 1)
    await live.next<Line[]>('messages', (lines) => lines.some(({ states }) => states.opened === 1))

    await trackEvent(ctx, { userId: 'sara', eventName: 'Looked' })
    await live.next<{ eventName: string }[]>('events', (events) => events[0]?.eventName === 'Looked')
    await raiseAlert(ctx, { kind: 'promo-low', subject: 'spring', text: 'Few codes are left.', details: {} })
    await live.next<object[]>('alerts', (alerts) => alerts.length === 1)
    live.stop()
    watching.stop()
  })

  it('tells which of the first steps are done, as they are', async () => {
    const app = await createTestApp(store)
    const { cookie } = await signIn(app)
    const live = await listen(app, 'topics=checklist', cookie)
    expect(await live.next('checklist')).toMatchObject({ done: { installation: false, message: false } })
    const { id } = await addInstallation(app, 'sara')
    const told = await live.next<Checklist>('checklist')
    expect(told).toMatchObject({
      done: { installation: true, message: false },
      device: { installationId: id, userId: 'sara', deviceType: 'android' },
    })
    live.stop()
  })

  it('is for members of the app, and ends with the session', async () => {
    const { cookie, memberId } = await signIn(ctx)
    const other = await createTestApp(store)
    expect((await listen(ctx, 'topics=alerts', 'peyk=nobody')).response.statusCode).toBe(401)
    expect((await listen(other, 'topics=alerts', cookie)).response.statusCode).toBe(404)
    const live = await listen(ctx, 'topics=alerts', cookie)
    await live.next('alerts')
    await store.query(sql`delete from member_sessions where member_id = ${memberId}`)
    await expect(live.next('alerts')).rejects.toThrow('the stream has ended')
  })

  it('tells an app nothing of another one', async () => {
    const other = await createTestApp(store)
    const { cookie } = await signIn(other)
    const live = await listen(other, 'topics=messages,alerts', cookie)
    await sendByQuery(ctx, { target: {}, content: 'Hello' })
    const own = (await sendByQuery(other, { target: {}, content: 'Hello' })) as { id: string }
    const lines = await live.next<Line[]>('messages')
    expect(lines.map(({ id }) => id)).toEqual([own.id])
    live.stop()
  })

  it('refuses topics and messages that are none, and more streams than a member can look at', async () => {
    const { cookie } = await signIn(ctx)
    for (const query of ['topics=weather', 'topics=messages&message=x', '']) {
      const { response } = await listen(ctx, query, cookie)
      expect(response.statusCode).toBe(400)
    }
    const open = await Promise.all(Array.from({ length: 12 }, () => listen(ctx, 'topics=alerts', cookie)))
    expect((await listen(ctx, 'topics=alerts', cookie)).response.statusCode).toBe(429)
    for (const live of open) live.stop()
  })

  it('ends when the service stops', async () => {
    const { cookie } = await signIn(ctx)
    const live = await listen(ctx, 'topics=alerts', cookie)
    await live.next('alerts')
    closeEventStreams(store)
    await expect(live.next('alerts')).rejects.toThrow('the stream has ended')
  })

  it('is over when the reader had left before it began', async () => {
    const { memberId } = await signIn(ctx)
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    let isOver = false
    const app = fastify()
    app.get('/late', async (request, reply) => {
      leave()
      await once(reply.raw, 'close')
      const member = { id: memberId, email: 'x', role: 'analyst' }
      const input = { request, reply, heartbeatMs: 5_000, isStillAllowed: async () => true }
      openEventStream({ ...ctx, member }, input, () => {
        isOver = true
      })
      return reply
    })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => app.close())
    const asking = get(`${url}/late`, { agent: false }).on('error', () => undefined)
    await left
    asking.destroy()
    await poll(() => isOver).toBe(true)
  })
})
