import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { poll } from '@peyk/test/runner/poll.ts'
import { freePort } from '@peyk/test/service/service-process.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import { expect, it, onTestFinished } from 'vitest'
import { type Simulator, type SimulatorOptions, SimulatorRunsAlready, startSimulator } from './simulator.ts'

const { baseUrl, clientKey, call } = await createTestServer()
const service = { baseUrl, clientKey }

async function makeStateFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-simulator-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'inner', 'simulator.json')
}

/** Ports that no system gives out by itself: nobody takes them between two starts. */
async function makeStateWithPorts(): Promise<string> {
  const stateFile = await makeStateFile()
  await (await start({ stateFile })).close()
  const kept = JSON.parse(await readFile(stateFile, 'utf8'))
  for (const name of Object.keys(kept.ports)) kept.ports[name] = await freePort()
  await writeFile(stateFile, JSON.stringify(kept))
  return stateFile
}

async function start(options: SimulatorOptions): Promise<Simulator> {
  const simulator = await startSimulator(options)
  onTestFinished(() => simulator.close())
  return simulator
}

it('is the same after a restart: address, credentials, tokens alive and dead, phones and what they show', async () => {
  const stateFile = await makeStateWithPorts()
  const first = await start({ stateFile, service })
  const phone = first.phones.add({ platform: 'android', userId: 'user-1' })
  await poll(() => first.phones.list()[0]?.installationId).not.toBeNull()
  const { address, deviceToken } = { ...first.phones.states()[0] }
  const content = { data: { messageId: 'm1', title: 'Hi' } }
  const push = { pushId: 'p', content, expiresAt: null, collapseKey: undefined }
  first.phones.arrive(address ?? '', push)
  first.phones.find(phone.id)?.goOffline()
  const dead = first.providers.tokens.issue('fcm', 'dead')
  first.providers.tokens.kill('fcm', dead)
  const before = first.phones.list()
  await first.close()
  expect((await stat(stateFile)).mode & 0o777).toBe(0o600)

  const second = await start({ stateFile })
  expect([second.url, second.providers.ports]).toEqual([first.url, first.providers.ports])
  expect(second.providers.credentials).toEqual(first.providers.credentials)
  expect(second.phones.list()).toEqual(before)
  expect(second.providers.tokens.read('fcm', deviceToken ?? '')).toBeDefined()
  expect(second.providers.tokens.deadSince('fcm', 'dead')).toBeGreaterThan(0)
  const restored = second.phones.find(phone.id)
  restored?.goOnline()
  second.phones.arrive(address ?? '', push)
  expect(second.phones.list()[0]?.notifications).toHaveLength(1)
  await poll(() => restored?.state.isRegistered).toBe(true)
  expect(restored?.state.installationId).toBe(before[0]?.installationId)
})

it('takes other ports when its own are taken, and lets browsers subscribe anew', async () => {
  await call('PUT', '/api/providers/webpush', { subject: 'mailto:test@example.com' })
  const stateFile = await makeStateFile()
  const first = await start({ stateFile, service })
  first.phones.add({ platform: 'web', userId: 'user-2' })
  await poll(() => first.phones.states()[0]?.isRegistered).toBe(true)
  const { installationId } = { ...first.phones.list()[0] }
  await first.close()
  for (const port of [first.providers.ports.webPush, Number(new URL(first.url).port)]) {
    const other = createServer().listen(port, '127.0.0.1')
    // If another process was quicker, it is taken as well.
    await once(other, 'listening').catch(() => undefined)
    onTestFinished(() => void other.close())
  }
  const second = await start({ stateFile })
  expect(second.url).not.toBe(first.url)
  await poll(() => second.phones.states()[0]?.isRegistered).toBe(true)
  const { body } = await call('GET', `/api/installations/fetchById/${installationId}`)
  expect(JSON.parse(body.deviceToken).endpoint).toContain(`${second.providers.webPushOrigin}/push/`)
})

it('answers that something was done to a phone when it is kept', async () => {
  const stateFile = await makeStateFile()
  const simulator = await start({ stateFile, service })
  const { id } = simulator.phones.add({ platform: 'android', userId: 'user-4' })
  for (const [act, online] of [
    ['offline', false],
    ['online', true],
    ['offline', false],
  ]) {
    await fetch(`${simulator.url}/phones/${id}/${act}`, { method: 'POST' })
    expect(JSON.parse(await readFile(stateFile, 'utf8')).phones[0].online).toBe(online)
  }
})

it('goes on with the phones of an earlier version', async () => {
  const stateFile = await makeStateFile()
  const first = await start({ stateFile, service })
  const { id } = first.phones.add({ platform: 'android', userId: 'user-3' })
  await poll(() => first.phones.states()[0]?.isRegistered).toBe(true)
  const content = { data: { messageId: 'm1', title: 'Hi' } }
  const push = { pushId: 'p', content, expiresAt: null, collapseKey: undefined }
  first.phones.arrive(first.phones.states()[0]?.address ?? '', push)
  const before = first.phones.list()
  await first.close()
  const kept = JSON.parse(await readFile(stateFile, 'utf8'))
  for (const name of ['provider', 'app', 'appId', 'messages']) delete kept.phones[0][name]
  delete kept.phones[0].notifications[0].via
  await writeFile(stateFile, JSON.stringify(kept))
  const second = await start({ stateFile })
  expect(second.phones.list()).toEqual(before)
  expect(second.phones.find(id)?.state).toMatchObject({ appId: null, provider: 'fcm' })
})

it('refuses a state file that another one has open', async () => {
  const stateFile = await makeStateFile()
  const first = await start({ stateFile })
  await poll(() => readFile(stateFile, 'utf8').catch(() => '')).toContain('"control"')
  await expect(startSimulator({ stateFile })).rejects.toThrow(SimulatorRunsAlready)
  await first.close()
})

it('refuses a state file whose owner takes long to answer', async () => {
  const stateFile = await makeStateWithPorts()
  const first = await start({ stateFile })
  const answer = await (await fetch(`${first.url}/providers`)).text()
  await first.close()
  const kept = JSON.parse(await readFile(stateFile, 'utf8'))
  expect(kept.pid).toBeUndefined()
  await writeFile(stateFile, JSON.stringify({ ...kept, pid: process.pid }))
  const slow = createHttpServer((_request, response) => void setTimeout(() => response.end(answer), 2_000))
  onTestFinished(() => void slow.close())
  slow.listen(kept.ports.control, '127.0.0.1')
  await once(slow, 'listening')
  await expect(startSimulator({ stateFile })).rejects.toThrow(SimulatorRunsAlready)
})

it('begins anew on a file that holds nothing useful', async () => {
  const stateFile = await makeStateFile()
  await (await start({ stateFile })).close()
  await writeFile(stateFile, '{"version":1,"keys":')
  const mended = await start({ stateFile })
  expect(mended.phones.list()).toEqual([])
})

it('ends at once although somebody listens to its stream', async () => {
  const simulator = await start({})
  const response = await fetch(`${simulator.url}/phones/stream`)
  const ended = response.text().catch(() => 'cut')
  await simulator.close()
  await ended
  await expect(fetch(simulator.url)).rejects.toThrow()
})
