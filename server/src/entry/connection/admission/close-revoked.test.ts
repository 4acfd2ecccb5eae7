import { clientIdOf, connectClient, createConnectionServerForTest } from '@peyk/test/connection.ts'
import { createTestApp, createTestToken } from '@peyk/test/database/test-store.ts'
import { registerDevice } from '@peyk/test/devices.ts'
import { until } from '@peyk/test/runner/until.ts'
import { caller } from '@peyk/test/service/test-server.ts'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, it } from 'vitest'
import { busOf } from '#base/bus/bus.ts'
import type { Context } from '#base/context.ts'
import { openStore } from '#base/store/store.ts'
import { changeOrigins } from '#features/accounts/access-tokens/change-origins.ts'
import { revokeToken } from '#features/accounts/access-tokens/revoke-token.ts'
import type { Connection } from '../connection.ts'
import type { ConnectionServices } from '../connection-services.ts'
import { closeRevoked } from './close-revoked.ts'

/** It looks at its connections only when it is told to: so nothing here is found by chance. */
const service = await createConnectionServerForTest({ PEYK_TEST_DURATIONS: '{"sweepEveryMs":86400000}' })
const { ctx, store, tcpUrl, wsUrl } = service

async function connectWith(app: Context, options: { origins?: string[]; url?: string; origin?: string } = {}) {
  const { origins, url = tcpUrl, origin } = options
  const key = await createTestToken(app, ['client'], origins)
  const device = await registerDevice(caller(service.baseUrl, key), { userId: 'somebody' })
  const [row] = await store.query<{ token_id: string }>(
    sql`select token_id from access_tokens where hash = sha256(${key}::bytea)`,
  )
  const wsOptions = origin === undefined ? {} : { wsOptions: { origin } }
  const clientId = clientIdOf(app, device)
  const client = await connectClient(url, { clientId, key, protocolVersion: 5, ...wsOptions })
  const reasons: (number | undefined)[] = []
  client.on('disconnect', ({ reasonCode }) => reasons.push(reasonCode))
  return { client, key, reasons, id: row?.token_id as string }
}

const closed = (client: { connected: boolean }) =>
  until(
    () => client.connected,
    (isConnected) => !isConnected,
  )

describe('a client key that is revoked', () => {
  it('closes its connections at once, and no others', async () => {
    const [revoked, other] = [await connectWith(ctx), await connectWith(ctx)]
    await revokeToken(ctx, { id: revoked.id })
    await closed(revoked.client)
    expect(revoked.reasons).toEqual([0x87])
    expect(other.client.connected).toBe(true)
  })

  it('closes those that another process holds', async () => {
    const elsewhere = openStore(store.url, { poolSize: 2 })
    afterAll(async () => {
      await elsewhere.drain()
      await elsewhere.close()
    })
    await until(
      () => busOf(store).isOpen,
      (isOpen) => isOpen,
    )
    const { client, id } = await connectWith(ctx)
    await revokeToken({ ...ctx, store: elsewhere }, { id })
    await closed(client)
  })

  it('closes the pages that it may not be used from any more', async () => {
    const origins = ['https://shop.example', 'https://old.example']
    const url = `${wsUrl}/mqtt`
    const gone = await connectWith(ctx, { origins, url, origin: 'https://old.example' })
    const stays = await connectWith(ctx, { origins, url, origin: 'https://shop.example' })
    for (const { id } of [gone, stays]) await changeOrigins(ctx, { id, origins: ['https://shop.example'] })
    await closed(gone.client)
    expect(stays.client.connected).toBe(true)
  })
})

describe('a look at all connections', () => {
  /** As far as the look is concerned. */
  function doorWith(keys: readonly string[]) {
    const closedKeys: string[] = []
    const all = keys.map((key) => ({
      client: { key },
      stage: 'connected',
      transport: { origin: undefined },
      close: () => closedKeys.push(key),
    }))
    const connections = { all: new Set(all as unknown as Connection[]) } as unknown as ConnectionServices['connections']
    return { services: { store, connections }, closedKeys }
  }

  it('finds what was revoked, has expired or lost its app, though it was valid a moment ago', async () => {
    const removed = await createTestApp(store)
    const [revoked, expired, good] = await Promise.all([1, 2, 3].map(() => createTestToken(ctx, ['client'])))
    const orphan = await createTestToken(removed, ['client'])
    const keys = [revoked, expired, good, orphan] as string[]
    const before = doorWith(keys)
    await closeRevoked(before.services)
    expect(before.closedKeys).toEqual([])
    await store.query(sql`update access_tokens set revoked_at = now() where hash = sha256(${revoked}::bytea)`)
    await store.query(sql`update access_tokens set expires_at = now() where hash = sha256(${expired}::bytea)`)
    await store.query(sql`delete from access_tokens where app_id = ${removed.app.id}`)
    await store.query(sql`delete from apps where app_id = ${removed.app.id}`)
    const after = doorWith([...keys, 'f'.repeat(40), 'no key'])
    await closeRevoked(after.services)
    expect(after.closedKeys).toEqual([revoked, expired, orphan, 'f'.repeat(40), 'no key'])
  })
})
