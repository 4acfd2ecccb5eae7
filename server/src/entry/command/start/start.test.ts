import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createTestStore } from '@peyk/test/database/test-store.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeTestFolder, peyk } from '../peyk-process.test-support.ts'
import { readDemo, Service } from './start.test-support.ts'

const store = await createTestStore()
const productionFolder = await makeGuardedFolder('peyk-production-')

const post = (url: string, token: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-access-token': token },
    body: JSON.stringify(body),
  })

describe('peyk start in development', () => {
  it('makes a demo that can be tried at once, keeps it, and tells commands and second servers where it is', async () => {
    const folder = await makeTestFolder('peyk-start-')
    const first = new Service({ PEYK_DATA: folder })
    const baseUrl = await first.baseUrl()
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
    const demo = await readDemo(folder)
    expect(demo).toEqual({
      appId: 'demo',
      accessToken: expect.stringMatching(/^[0-9a-f]{40}$/),
      clientKey: expect.stringMatching(/^[0-9a-f]{40}$/),
      baseUrl,
      panelUrl: `${baseUrl}/panel/`,
      panelEmail: 'demo@peyk.local',
      panelPassword: expect.stringMatching(/^\w{20}$/),
      simulatorUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/),
    })
    expect((await stat(join(folder, 'simulator.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'demo.json'))).mode & 0o777).toBe(0o600)
    expect(first.output).not.toContain(demo.accessToken)
    expect(first.output).not.toContain(demo.panelPassword)
    await first.says('"signIn"')
    const [, key] = /"signIn":"http:[^"]+\/panel\/enter#([^"]+)"/.exec(first.output) ?? []
    const byLink = await fetch(`${baseUrl}/panel/api/session/link`, {
      method: 'POST',
      headers: { origin: baseUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ key }),
    })
    expect(byLink.status).toBe(200)
    const entered = await fetch(`${baseUrl}/panel/api/session`, {
      method: 'POST',
      headers: { origin: baseUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ email: demo.panelEmail, password: demo.panelPassword }),
    })
    expect([entered.status, await entered.json()]).toMatchObject([200, { apps: [{ appId: 'demo', role: 'admin' }] }])
    const listPhones = () => fetch(`${demo.simulatorUrl}/phones`).then((answer) => answer.json() as Promise<object[]>)
    expect(await listPhones()).toMatchObject(
      ['fcm', 'apns', 'webpush', 'none'].map((provider) => ({ provider, userId: 'user-1', installed: true })),
    )
    const sent = await post(`${baseUrl}/api/push/toUsers`, demo.accessToken, { user: 'user-1', content: 'Hello' })
    expect([sent.status, ((await sent.json()) as { count: number }).count]).toEqual([
      200,
      expect.toSatisfy((count) => count > 0),
    ])
    const tracked = await post(`${baseUrl}/api/installations/track`, demo.accessToken, {
      userId: 'user-1',
      eventName: 'AddToCart',
    })
    expect(tracked.status).toBe(200)

    expect((await peyk(['app', 'list'], { env: { PEYK_DATA: folder } })).stdout).toMatch(/^demo +Demo shop +/m)
    const verified = await peyk(['verify'], { env: { PEYK_DATA: folder } })
    expect(verified.stdout).not.toContain('BROKEN')
    expect(verified).toMatchObject({ code: 0, stderr: '' })
    const second = await peyk(['start'], { env: { PEYK_DATA: folder, PEYK_PORT: '0' } })
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^peyk: The data folder .* is in use by another Peyk server, process \d+\.\n$/),
    })
    expect(await first.end('SIGTERM')).toBe(0)
    expect(await readdir(join(folder, 'postgres'))).not.toContain('postmaster.pid')

    const again = new Service({ PEYK_DATA: folder })
    const newUrl = await again.baseUrl()
    expect(await readDemo(folder)).toEqual({ ...demo, baseUrl: newUrl, panelUrl: `${newUrl}/panel/` })
    expect(again.output).not.toContain('filled')
    expect(await again.end('SIGINT')).toBe(0)
  })
})

describe('peyk start in production', () => {
  const env = { PEYK_MODE: 'production', PEYK_DATABASE_URL: store.url, PEYK_DATA: productionFolder }

  it.runIf(isThorough)('says which port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as { port: number }
    const service = new Service({ ...env, PEYK_PORT: String(port) })
    expect(await service.ended()).toBe(1)
    await service.says(`peyk: Port ${port} on 127.0.0.1 is in use: end what uses it, or set PEYK_PORT to another one.`)
  })

  it.runIf(isThorough)('says that the database is away', async () => {
    const service = new Service({ ...env, PEYK_DATABASE_URL: 'postgresql://u:secret@127.0.0.1:9/peyk' })
    expect(await service.ended()).toBe(1)
    await service.says(
      'peyk: The database of PEYK_DATABASE_URL (127.0.0.1:9/peyk) cannot be used: connect ECONNREFUSED',
    )
  })
})
