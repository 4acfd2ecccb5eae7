import { connect } from 'node:net'
import { createTestStore } from '@peyk/test/database/test-store.ts'
import { makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '#features/accounts/apps/create-app.ts'
import { Service } from './start.test-support.ts'

const store = await createTestStore()
const env = {
  PEYK_MODE: 'production',
  PEYK_DATABASE_URL: store.url,
  PEYK_DATA: await makeGuardedFolder('peyk-production-'),
}

/** A request whose body is still on its way: the server has read its head and waits. */
async function beginMessage(baseUrl: string, token: string) {
  const { hostname, port, host } = new URL(baseUrl)
  const body = '{"user":"u","content":"slow"}'
  const head = [
    'POST /api/push/toUsers HTTP/1.1',
    `Host: ${host}`,
    `X-Access-Token: ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('error', () => undefined).on('data', (chunk) => (answer += chunk))
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await poll(() => answer).toContain('HTTP/1.1 100')
  onTestFinished(() => void socket.destroy())
  return { finish: () => socket.write(body), answer: () => answer }
}

describe('peyk start in production', () => {
  it('makes no demo, and says how to make an app', async () => {
    const service = new Service(env)
    const baseUrl = await service.baseUrl()
    await service.says('There are no apps yet: create one with peyk app create <label>')
    expect((await fetch(`${baseUrl}/ready`)).status).toBe(200)
    expect(await store.query(sql`select 1 from apps`)).toEqual([])
    expect(service.output).not.toContain('/panel/enter')
    expect(await service.end('SIGTERM')).toBe(0)
  })

  it('is not ready while it stops, but takes requests until proxies have noticed, and finishes those under way', async () => {
    const { accessToken } = await createApp({ store, now: () => new Date() }, { label: 'draining' })
    const service = new Service({ ...env, PEYK_TEST_DURATIONS: '{}' })
    const baseUrl = await service.baseUrl()
    const isOpen = () => fetch(`${baseUrl}/health`).then((answer) => answer.ok)
    const slow = await beginMessage(baseUrl, accessToken)
    service.child.kill('SIGTERM')
    await service.says('"stopping"')
    const refused = await fetch(`${baseUrl}/ready`)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true])
    expect(await refused.json()).toMatchObject({ error: { code: 'shutting-down' } })
    const accepted = await fetch(`${baseUrl}/api/messages`, { headers: { 'x-access-token': accessToken } })
    expect([accepted.status, accepted.headers.get('connection')]).toEqual([200, 'close'])
    await poll(() => isOpen().catch(() => false)).toBe(false)
    slow.finish()
    await poll(() => slow.answer()).toContain('HTTP/1.1 200')
    expect(await service.ended()).toBe(0)
    expect(service.output).toContain('"stopped"')
    expect(await store.query(sql`select 1 from messages`)).toHaveLength(1)
  })

  it('ends at once when it is told twice, whatever it waits for', async () => {
    const { accessToken } = await createApp({ store, now: () => new Date() }, { label: 'hurrying' })
    const service = new Service({ ...env, PEYK_TEST_DURATIONS: '{"drainMs":600000}' })
    await beginMessage(await service.baseUrl(), accessToken)
    service.child.kill('SIGTERM')
    await service.says('"stopping"')
    // The second counts when it does not come of the same key press.
    const again = setInterval(() => service.child.kill('SIGTERM'), 50)
    onTestFinished(() => clearInterval(again))
    expect(await service.ended()).toBe(143)
    expect(service.output).not.toContain('"stopped"')
  })
})
