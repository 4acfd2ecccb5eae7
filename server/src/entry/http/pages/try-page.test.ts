import { createTestServer } from '@peyk/test/service/test-server.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { createHttpServer } from '../server.ts'

const { baseUrl, call, token, clientKey, ctx, store } = await createTestServer()
const { loadConfig } = await import('#base/config.ts')
const config = loadConfig({ PEYK_PORT: '0', PEYK_LOG_LEVEL: 'silent', PEYK_MODE: 'development' })
const demo = { appId: ctx.app.label, accessToken: token, clientKey }
const server = await createHttpServer({ ...ctx, config, store, demo })
const tryUrl = await server.app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => server.close())

const send = (headers: Record<string, string>, body: object = { user: 'sara', content: 'Hello' }) =>
  server.app.inject({ method: 'POST', url: '/try/send', headers, payload: body })
const host = new URL(tryUrl).host

describe('the try-it page', () => {
  it('has a strict policy and nothing inline', async () => {
    const answer = await fetch(`${tryUrl}/try`)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    const html = await answer.text()
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style| on[a-z]+=| style=/)
    for (const [, path] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      expect((await fetch(tryUrl + path)).status, path).toBe(200)
    }
  })

  it('is given the client key, and no other token', async () => {
    expect(await (await fetch(`${tryUrl}/try/app.json`)).json()).toEqual({ appId: ctx.app.label, clientKey })
  })

  it('sends as a back end does', async () => {
    const answer = await send({ host, origin: tryUrl })
    expect(answer.statusCode).toBe(200)
    const message = (await call('GET', `/api/messages/${answer.json().id}`)).body
    expect(message).toMatchObject({ user: 'sara', content: 'Hello', notification: { clickUrl: `${tryUrl}/try` } })
    expect((await send({ host, origin: tryUrl }, { content: 'Hello' })).statusCode).toBe(400)
    expect((await send({ host, origin: tryUrl }, [])).statusCode).toBe(400)
  })

  it.each([
    ['of another site', { host, origin: 'https://evil.example' }],
    ['without an origin', { host }],
    ['whose name leads to this machine', { host: 'evil.example', origin: 'http://evil.example' }],
  ])('does not send for a page %s', async (_, headers) => {
    expect((await send(headers as Record<string, string>)).statusCode).toBe(403)
  })

  it('is not there in production', async () => {
    for (const path of ['/try', '/try/app.json', '/try/try.js']) {
      expect((await fetch(baseUrl + path)).status).toBe(404)
    }
    expect((await fetch(`${baseUrl}/try/send`, { method: 'POST' })).status).toBe(404)
  })
})
