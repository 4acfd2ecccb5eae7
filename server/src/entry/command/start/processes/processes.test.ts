import { clientIdOf, connectClient } from '@peyk/test/connection.ts'
import { createTestStore } from '@peyk/test/database/test-store.ts'
import { registerDevice } from '@peyk/test/devices.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { caller } from '@peyk/test/service/test-server.ts'
import { expect, it } from 'vitest'
import { createApp } from '#features/accounts/apps/create-app.ts'
import { Service } from '../start.test-support.ts'

const store = await createTestStore()
const env = {
  PEYK_MODE: 'production',
  PEYK_PROCESSES: '2',
  PEYK_DATABASE_URL: store.url,
  PEYK_DATA: await makeGuardedFolder('peyk-processes-'),
}

it.runIf(isThorough)(
  'two processes serve one port, a client moves from one to the other, and both end in order',
  async () => {
    const { app, clientKey } = await createApp({ store, now: () => new Date() }, { label: 'several' })
    const service = new Service(env)
    const baseUrl = await service.baseUrl()
    const mqttUrl = /"mqttUrl":"([^"]+)"/.exec(service.output)?.[1] as string
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text()
    for (const number of [1, 2]) expect(metrics).toContain(`peyk_connections{line="tcp",process="${number}"} 0`)
    expect(metrics).toMatch(/^peyk_sending_held 0$/m)

    const device = await registerDevice(caller(baseUrl, clientKey), { userId: 'sara' })
    const options = { clientId: clientIdOf({ app }, device), key: clientKey }
    const first = await connectClient(mqttUrl, options)
    const second = await connectClient(mqttUrl, options)
    await poll(() => first.connected).toBe(false)
    expect(second.connected).toBe(true)

    expect(await service.end('SIGTERM')).toBe(0)
    for (const number of [1, 2]) await service.says(`"process":${number},"msg":"stopped"`)
  },
)
