import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@peyk/test/database/test-store.ts'
import { freePort } from '@peyk/test/service/service-process.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '#base/config.ts'
import { closeSimulator, openSimulator } from './open-simulator.ts'

const { baseUrl, clientKey } = await createTestServer()
const service = { baseUrl, clientKey, mqttUrl: `mqtt://127.0.0.1:${await freePort()}` }

async function open(env: Record<string, string>) {
  const opening = openSimulator(loadConfig(env), silentLog)
  onTestFinished(() => closeSimulator(opening))
  return opening
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-open-simulator-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const listPhones = (url: string) =>
  fetch(`${url}/phones`).then(
    (answer) => answer.json() as Promise<{ id: string; platform: string; provider: string }[]>,
  )

describe('the simulator of a service', () => {
  it('is one of its own, with four phones that are made once', async () => {
    const simulator = await open({ PEYK_DATA: await makeFolder() })
    expect(simulator.endpoints.localOrigins).toContain(simulator.webPushOrigin)
    expect(await simulator.makeTokens('fcm', 3)).toHaveLength(3)
    await simulator.useService(service)
    const phones = await listPhones(simulator.url)
    expect(phones.map(({ platform, provider }) => `${platform} ${provider}`)).toEqual([
      'android fcm',
      'ios apns',
      'web webpush',
      'android none',
    ])
    await simulator.useService(service)
    expect((await listPhones(simulator.url)).map(({ id }) => id)).toEqual(phones.map(({ id }) => id))
  })

  it('is the one that PEYK_SIMULATOR_URL names, or that has the data folder already, and stays when the service ends', async () => {
    const folder = await makeFolder()
    const running = await open({ PEYK_DATA: folder })
    const named = await open({ PEYK_SIMULATOR_URL: `${running.url}/`, PEYK_DATA: await makeFolder() })
    const found = await open({ PEYK_DATA: folder })
    for (const { url, credentials, close } of [named, found]) {
      expect([url, credentials]).toEqual([running.url, running.credentials])
      await close()
    }
    expect(await listPhones(running.url)).toEqual([])
  })

  it('is missed with a line that says what to do', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    await expect(open({ PEYK_SIMULATOR_URL: url })).rejects.toThrow(
      `No simulator answers at ${url} (ECONNREFUSED): start one with peyk simulator, or unset PEYK_SIMULATOR_URL.`,
    )
    await expect(open({ PEYK_SIMULATOR_URL: baseUrl })).rejects.toThrow('is not a simulator of this version')
  })

  it('says when its port is in use', async () => {
    const { port } = new URL(baseUrl)
    await expect(open({ PEYK_DATA: await makeFolder(), PEYK_SIMULATOR_PORT: port })).rejects.toThrow(
      `Port ${port} is in use: end what uses it, or set PEYK_SIMULATOR_PORT to another one.`,
    )
  })

  it('is not taken for one that is gone when it closes connections that were idle', async () => {
    const used = new Set<Socket>()
    const answers: Record<string, unknown> = {
      '/providers': { endpoints: {}, credentials: { apns: {}, sms: {} } },
      '/service': {},
      '/phones': [{}],
    }
    const server = createServer((request, response) => {
      if (used.has(request.socket)) return void request.socket.destroy()
      used.add(request.socket)
      response.end(JSON.stringify(answers[request.url as string]))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const simulator = await open({
      PEYK_SIMULATOR_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    })
    await simulator.useService(service)
    expect(used.size).toBe(3)
  })
})
