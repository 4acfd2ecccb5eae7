import { randomUUID } from 'node:crypto'
import {
  clientIdOf,
  connectClient,
  connectRaw,
  createConnectionServerForTest,
  leaveMessage,
  openConnectionServer,
  type RawClient,
  readDelivery,
} from '@peyk/test/connection.ts'
import type { Device } from '@peyk/test/devices.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, it } from 'vitest'
import { busOf } from '#base/bus/bus.ts'
import { limits } from '#base/config.ts'
import { type Database, openStore } from '#base/store/store.ts'
import { findPresence } from '#features/installations/connections/find-presence.ts'

/** Short, so that a process that says nothing is given up soon. */
const durations = { holdEveryMs: 200, aliveMs: 2_000 }
const env = { PEYK_TEST_DURATIONS: JSON.stringify(durations) }
const here = await createConnectionServerForTest(env)
const { ctx, store, clientKey, register, call } = here

/** Another process on the same database, as far as the database can tell. */
async function openElsewhere() {
  const otherStore = openStore(store.url, { poolSize: 4 })
  const services = await openConnectionServer(otherStore, env)
  await until(
    () => busOf(otherStore).isOpen && busOf(store).isOpen,
    (isOpen) => isOpen,
  )
  const close = async () => {
    await services.close()
    await otherStore.drain()
    await otherStore.close()
  }
  return { ...services, store: otherStore, close }
}
const there = await openElsewhere()
afterAll(there.close)

const connect = (services: { tcpUrl: string }, device: Device, protocolVersion: 4 | 5 = 4) =>
  connectClient(services.tcpUrl, { clientId: clientIdOf(ctx, device), key: clientKey, protocolVersion })

async function countWaitingForLock(): Promise<number> {
  const [row] = await store.query<{ count: number }>(sql`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.count as number
}

async function numberOf(device: Device): Promise<number> {
  const [row] = await store.query<{ installation_no: number }>(
    sql`select installation_no from installations where app_id = ${ctx.app.id} and id = ${device.id}`,
  )
  return row?.installation_no as number
}
const presenceOf = async (device: Device, database: Database = store) => {
  const installationNo = await numberOf(device)
  return (await findPresence(database, [{ appId: ctx.app.id, installationNo }])).get(installationNo)
}

describe('two processes on one database', () => {
  it('notify each other of new messages', async () => {
    const device = await register()
    const client = await connect(there, device)
    const id = await leaveMessage(ctx, device.id)
    await until(
      () => client.received.length,
      (count) => count === 1,
    )
    await until(
      () => readDelivery(ctx, id),
      (row) => row?.state === 'delivered',
    )
    expect(client.received).toMatchObject([{ body: { id } }])
  })

  it('close what is taken over in the other one', async () => {
    const device = await register()
    const first = await connect(here, device)
    const second = await connect(there, device)
    await until(
      () => first.connected,
      (isConnected) => !isConnected,
    )
    expect(await presenceOf(device)).toMatchObject({ isOpen: true })
    await second.endAsync()
    await until(
      () => presenceOf(device),
      (presence) => presence === undefined,
    )
  })

  it.each([
    ['the same process', here],
    ['the other one', there],
  ])('mark what a client was sent before it was taken over in %s, until the very end', async (_where, services) => {
    const device = await register()
    const raw = await connectRaw(here.port)
    raw.send({ cmd: 'connect', clientId: clientIdOf(ctx, device), clean: false, keepalive: 0, username: clientKey })
    await until(
      () => raw.find('connack'),
      (packet) => packet !== undefined,
    )
    const sentTo = (id: string) =>
      raw.packets.some((packet) => packet.cmd === 'publish' && `${packet.payload}`.includes(id))
    const leaveAndSend = async () => {
      const id = await leaveMessage(ctx, device.id)
      await until(
        () => sentTo(id),
        (isSent) => isSent,
      )
      return id
    }
    const early = await leaveAndSend()
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = store.transaction(async (tx) => {
      await tx.query(sql`select from installations where app_id = ${ctx.app.id} and id = ${device.id} for update`)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const connecting = connect(services, device)
    await until(
      () => countWaitingForLock(),
      (count) => count > 0,
    )
    const late = await leaveAndSend()
    release.resolve()
    await holding
    const client = await connecting
    await until(
      () => client.received.length,
      (count) => count >= 2,
    )
    expect(client.received.map(({ body, dup }) => [body.id, dup])).toEqual([
      [early, true],
      [late, true],
    ])
    // Once the process that held the connection has said what it sent, a new message is not marked.
    await until(
      async () => {
        const id = await leaveMessage(ctx, device.id)
        const received = await until(
          () => client.received.find(({ body }) => body.id === id),
          (found) => found !== undefined,
        )
        return received?.dup
      },
      (dup) => dup === false,
    )
  })

  it.each([
    ['the same process', here],
    ['the other one', there],
  ])('mark what an earlier connection was sent that the one after it was not, in %s', async (_where, services) => {
    const device = await register()
    const enter = async ({ port }: { port: number }, receiveMaximum: number) => {
      const raw = await connectRaw(port, 5)
      const name = { clientId: clientIdOf(ctx, device), clean: false, keepalive: 0, username: clientKey }
      raw.send({ cmd: 'connect', protocolVersion: 5, ...name, properties: { receiveMaximum } })
      return raw
    }
    const countSent = (raw: RawClient) => raw.packets.filter(({ cmd }) => cmd === 'publish').length
    const ids = [await leaveMessage(ctx, device.id), await leaveMessage(ctx, device.id)]
    const first = await enter(here, 10)
    await until(
      () => countSent(first),
      (count) => count === 2,
    )
    // It has room for one message only, so that it is never sent the other one.
    const second = await enter(services, 1)
    await until(
      () => countSent(second),
      (count) => count === 1,
    )
    second.socket.destroy()
    await until(
      () => presenceOf(device),
      (presence) => presence === undefined,
    )
    const client = await connect(services, device)
    await until(
      () => client.received.length,
      (count) => count === 2,
    )
    expect(client.received.map(({ body, dup }) => [body.id, dup])).toEqual(ids.map((id) => [id, true]))
  })

  it('pass events on to each other’s clients, as large as they may be', async () => {
    const [from, to] = [await register(), await register()]
    const listener = await connect(there, to)
    await listener.subscribeAsync(`app/${ctx.app.label}/event/drawing/+`)
    const sender = await connect(here, from)
    const text = `{"line":"${'پیک'.repeat(1_360)}"}`
    expect(limits.passedOnBytes - Buffer.byteLength(text)).toBeLessThan(50)
    // Events are not kept: what is published before the processes know each other goes nowhere.
    await until(
      async () => {
        await sender.publishAsync(`app/${ctx.app.label}/event/drawing/${from.id}`, text, { qos: 1 })
        return listener.received.length
      },
      (count) => count > 0,
    )
    expect(listener.received[0]?.body).toEqual(JSON.parse(text))
    expect(listener.received[0]?.topic).not.toContain(from.id)
  })

  it('never show one app what belongs to another', async () => {
    const other = await createConnectionServerForTest()
    const device = await register()
    const foreign = await other.register(device.userId)
    await expect(
      connectClient(here.tcpUrl, { clientId: clientIdOf(ctx, foreign), key: clientKey }),
    ).rejects.toMatchObject({ code: 5 })
  })
})

describe('an installation that is given up', () => {
  it.each([
    ['in the process that is asked', here],
    ['in another one', there],
  ])('is connected no more, %s, until it comes again', async (_where, services) => {
    const device = await register()
    const client = await connect(services, device, 5)
    const reasons: (number | undefined)[] = []
    client.on('disconnect', ({ reasonCode }) => reasons.push(reasonCode))
    const bystander = await connect(services, await register())

    expect((await call('DELETE', `/api/installations/${device.id}`)).body).toEqual({ count: 1 })
    expect((await call('GET', `/api/installations/fetchById/${device.id}`)).body).toMatchObject({
      uninstalled: true,
      connected: false,
      isOpen: false,
    })
    await until(
      () => client.connected,
      (isConnected) => !isConnected,
    )
    expect(reasons).toEqual([0x98])
    expect(bystander.connected).toBe(true)
    expect((await call('DELETE', `/api/installations/${device.id}`)).body).toEqual({ count: 0 })

    await connect(services, device)
    expect((await call('GET', `/api/installations/fetchById/${device.id}`)).body).toMatchObject({
      uninstalled: false,
      connected: true,
      isOpen: true,
    })
  })

  it('gets what it had not acknowledged when it comes again', async () => {
    const device = await register()
    const raw = await connectRaw(here.port)
    raw.send({ cmd: 'connect', clientId: clientIdOf(ctx, device), clean: false, keepalive: 0, username: clientKey })
    const id = await leaveMessage(ctx, device.id)
    await until(
      () => raw.find('publish'),
      (packet) => packet !== undefined,
    )
    await call('DELETE', `/api/installations/${device.id}`)
    await until(
      () => raw.isClosed,
      (isClosed) => isClosed,
    )
    const again = await connect(here, device)
    await until(
      () => again.received.length,
      (count) => count === 1,
    )
    expect(again.received[0]).toMatchObject({ dup: true, body: { id } })
  })
})

describe('a process that ends', () => {
  it('tells its clients goodbye, keeps what was not acknowledged, and holds nobody any more', async () => {
    const third = await openElsewhere()
    const device = await register()
    const client = await connect(third, device, 5)
    const reasons: (number | undefined)[] = []
    client.on('disconnect', ({ reasonCode }) => reasons.push(reasonCode))
    const quiet = await register()
    const raw = await connectRaw(third.port)
    raw.send({ cmd: 'connect', clientId: clientIdOf(ctx, quiet), clean: false, keepalive: 60, username: clientKey })
    const id = await leaveMessage(ctx, quiet.id)
    await until(
      () => raw.find('publish'),
      (packet) => packet !== undefined,
    )
    await third.close()
    await until(
      () => client.connected || !raw.isClosed,
      (isOpen) => !isOpen,
    )
    expect(reasons).toEqual([0x8b])
    expect([await presenceOf(device), await presenceOf(quiet)]).toEqual([undefined, undefined])
    const again = await connect(here, quiet)
    await until(
      () => again.received.length,
      (count) => count === 1,
    )
    expect(again.received[0]).toMatchObject({ dup: true, body: { id } })
  })

  it('without a word holds nobody any more either, and what it may have sent comes again, unless it was live', async () => {
    const device = await register()
    const id = await leaveMessage(ctx, device.id, { at: new Date(Date.now() - 1_000) })
    // As a kill -9 leaves it: it is alive for a while yet, but PostgreSQL knows no lock of it.
    const dead = randomUUID()
    const number = await numberOf(device)
    await store.transaction(async (tx) => {
      await tx.query(
        sql`insert into connection_holders values (${dead}, now() + ${durations.aliveMs} * interval '1 ms')`,
      )
      await tx.query(sql`
        insert into connections (app_id, installation_no, holder, connection_id)
        values (${ctx.app.id}, ${number}, ${dead}, ${randomUUID()})`)
      expect(await presenceOf(device, tx)).toBeDefined()
    })
    const live = await leaveMessage(ctx, device.id, { body: { content: 'now', live: true } })
    await until(
      () => presenceOf(device),
      (presence) => presence === undefined,
    )
    expect(await store.query(sql`select from connection_holders where holder = ${dead}`)).toEqual([])
    await until(
      () => readDelivery(ctx, live),
      (row) => row?.reason === 'expired' && !row.in_inbox,
    )
    const client = await connect(here, device)
    await until(
      () => client.received.length,
      (count) => count === 1,
    )
    expect(client.received[0]).toMatchObject({ dup: true, body: { id } })
  })

  it('only for the others gets its connections back', async () => {
    const device = await register()
    const client = await connect(here, device)
    const holder = busOf(store).id
    await store.transaction(async (tx) => {
      await tx.query(sql`
        with gone as (delete from connection_holders where holder = ${holder})
        update connections set holder = '00000000-0000-0000-0000-000000000000', unacknowledged = null where holder = ${holder}`)
      expect(await presenceOf(device, tx)).toBeUndefined()
    })
    await until(
      () => presenceOf(device),
      (presence) => presence !== undefined,
    )
    expect(client.connected).toBe(true)
  })
})

describe('limits', () => {
  it('bound the connections of an address and of an app', async () => {
    const few = await createConnectionServerForTest({ PEYK_CONNECTIONS_ADDRESS: '3', PEYK_CONNECTIONS_APP: '2' })
    const to = async (url: string, protocolVersion: 4 | 5) =>
      connectClient(url, {
        clientId: clientIdOf(few.ctx, await few.register()),
        key: few.clientKey,
        protocolVersion,
      })
    await to(few.tcpUrl, 4)
    await to(`${few.wsUrl}/mqtt`, 5)
    await expect(to(few.tcpUrl, 5)).rejects.toMatchObject({ code: 0x97 })
    await expect(to(few.tcpUrl, 4)).rejects.toMatchObject({ code: 3 })
    const raw = await connectRaw(few.port)
    await expect(to(few.tcpUrl, 4)).rejects.toThrow()
    raw.socket.destroy()
  })

  it('bound the keys that an address may try', async () => {
    const few = await createConnectionServerForTest({ PEYK_RATE_FAILED_TOKENS: '2' })
    const codes: number[] = []
    for (let count = 0; count < 4; count++) {
      const wrong = {
        clientId: clientIdOf(few.ctx, await few.register()),
        key: 'f'.repeat(40),
        protocolVersion: 5 as const,
      }
      await connectClient(few.tcpUrl, wrong).catch((error) => codes.push(error.code))
    }
    expect(codes).toEqual([0x86, 0x86, 0x9f, 0x9f])
  })
})

it('shows its connections among the metrics', async () => {
  await connect(here, await register())
  const text = await (await fetch(`${here.baseUrl}/metrics`)).text()
  expect(text).toMatch(/^peyk_connections\{line="tcp"\} [1-9]/m)
  expect(text).toMatch(/^peyk_connection_connects_total\{result="accepted"\} [1-9]/m)
  expect((await call('GET', '/api/app')).status).toBe(200)
})
