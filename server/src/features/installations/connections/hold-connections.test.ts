import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { lockOf } from '#base/bus/bus.ts'
import type { Context } from '#base/context.ts'
import { registerInstallation } from '../register/register-installation.ts'
import { abandonEnded } from './abandon-ended.ts'
import { checkConnections } from './check-connections.ts'
import { connectInstallation } from './connect-installation.ts'
import { disconnectInstallation } from './disconnect-installation.ts'
import { findPresence } from './find-presence.ts'
import { holdConnections } from './hold-connections.ts'
import { dropHolder, leftKeptMs } from './holders-store.ts'
import { StoreContact } from './store-contact.ts'

const store = await createTestStore()
const aliveMs = 15_000
let ctx: Context

beforeEach(async () => {
  ctx = await createTestApp(store)
  await store.query(sql`delete from connection_holders`)
})

/** A process with one client, that is alive for so long yet, and holds its lock or does not. */
async function leaveHolder({ aliveForMs, isLocked }: { aliveForMs: number; isLocked: boolean }) {
  const holder = randomUUID()
  if (isLocked) {
    const listener = store.listen({ channel: 'test', lock: lockOf(holder), onMessage: () => undefined })
    onTestFinished(() => listener.close())
    await until(() => listener.isOpen(), Boolean)
  }
  await store.query(sql`insert into connection_holders values (${holder}, now() + ${aliveForMs} * interval '1 ms')`)
  return { holder, ...(await connect(holder)) }
}

async function connect(holder: string) {
  const userId = `user-${randomUUID()}`
  const connectionId = randomUUID()
  const { id: installationId } = await registerInstallation(ctx, { deviceType: 'web', userId })
  const input = { installationId, userId, holder, connectionId, isClean: true }
  const { installationNo } = await connectInstallation(ctx, input)
  const key = { appId: ctx.app.id, installationNo }
  const isPresent = async () => (await findPresence(store, [key])).size === 1
  const end = { installationId, installationNo, connectionId }
  return { key, isPresent, end, held: { ...key, connectionId, isOpen: true } }
}

/** A process that has been in touch with the database for so long looks at the others. */
async function judge(steadyForMs: number) {
  const storeContact = new StoreContact(aliveMs)
  const nowMs = performance.now()
  for (let agoMs = steadyForMs; agoMs >= 0; agoMs -= 1_000) storeContact.note(nowMs - agoMs)
  return holdConnections(ctx, { holder: randomUUID(), aliveMs, listHeld: () => [], storeContact })
}

async function readConnection({ installationNo }: { installationNo: number }) {
  const [row] = await store.query<{ is_left: boolean; unacknowledged: string[] | null }>(sql`
    select left_at is not null as is_left, unacknowledged from connections
    where app_id = ${ctx.app.id} and installation_no = ${installationNo}`)
  return row
}

describe('another process', () => {
  it('is given up when it is late and its lock is free', async () => {
    const dead = await leaveHolder({ aliveForMs: -1, isLocked: false })
    const { lost } = await judge(20_000)
    expect(lost).toEqual([dead.key])
    expect(await dead.isPresent()).toBe(false)
    expect(await readConnection(dead.key)).toEqual({ is_left: true, unacknowledged: null })
  })

  it.each([
    ['it is late alone, as everybody is after the database was away', { aliveForMs: -1_000, isLocked: true }],
    ['its lock is free alone, as all are after PostgreSQL was started anew', { aliveForMs: 1_000, isLocked: false }],
  ])('is not given up when %s', async (_why, left) => {
    const living = await leaveHolder(left)
    expect((await judge(20_000)).lost).toEqual([])
    expect(await living.isPresent()).toBe(true)
  })

  it('is given up with its lock when it has been silent for a minute', async () => {
    const gone = await leaveHolder({ aliveForMs: -3 * aliveMs - 1_000, isLocked: true })
    expect((await judge(20_000)).lost).toEqual([gone.key])
  })

  it('is not given up by a process that has been back in touch with the database for a moment only', async () => {
    const late = await leaveHolder({ aliveForMs: -600_000, isLocked: false })
    for (const steadyForMs of [0, 4_000, 14_000]) expect((await judge(steadyForMs)).lost).toEqual([])
    expect(await late.isPresent()).toBe(true)
    expect((await judge(16_000)).lost).toEqual([late.key])
  })

  it('gets its connections back when it was given up and lives', async () => {
    const { holder, held, isPresent } = await leaveHolder({ aliveForMs: -1, isLocked: false })
    await judge(20_000)
    await holdConnections(ctx, { holder, aliveMs, listHeld: () => [held] })
    expect(await isPresent()).toBe(true)
    expect(await readConnection(held)).toMatchObject({ is_left: false })
  })
})

describe('a process that is given up while it says that it lives', () => {
  it('takes none of its connections for another’s, and gets them back', async () => {
    const { holder, held, isPresent } = await leaveHolder({ aliveForMs: aliveMs, isLocked: false })
    const input = { holder, aliveMs, listHeld: () => [held] }
    await holdConnections(ctx, input)
    await store.transaction((tx) => dropHolder(tx, holder))
    expect([...(await checkConnections(ctx, { holder, held: [held] }))]).toEqual([held.connectionId])
    expect(await isPresent()).toBe(false)
    expect(await holdConnections(ctx, input)).toMatchObject({ isNew: true })
    expect(await isPresent()).toBe(true)
  })
})

describe('a process that looks at its connections', () => {
  it('sees which of them are somebody else’s by now', async () => {
    const { holder, held } = await leaveHolder({ aliveForMs: aliveMs, isLocked: false })
    const own = await connect(holder)
    const elsewhere = { holder: randomUUID(), connectionId: randomUUID() }
    await store.query(sql`
      update connections set holder = ${elsewhere.holder}, connection_id = ${elsewhere.connectionId}
      where app_id = ${ctx.app.id} and installation_no = ${held.installationNo}`)
    const current = await checkConnections(ctx, { holder, held: [held, own.held] })
    expect([...current]).toEqual([own.held.connectionId])
  })
})

describe('a connection that has ended', () => {
  it('leaves nothing when the client left by itself', async () => {
    const { key, end } = await leaveHolder({ aliveForMs: aliveMs, isLocked: false })
    await disconnectInstallation(ctx, { ...end, unacknowledged: [] })
    expect(await readConnection(key)).toBeUndefined()
  })

  it('leaves word when the client is expected back, for an hour', async () => {
    const { key, end } = await leaveHolder({ aliveForMs: aliveMs, isLocked: false })
    await disconnectInstallation(ctx, { ...end, unacknowledged: [], mayReturn: true })
    await judge(0)
    expect(await readConnection(key)).toEqual({ is_left: true, unacknowledged: [] })
    await store.query(
      sql`update connections set left_at = now() - ${leftKeptMs} * interval '1 ms' where app_id = ${ctx.app.id}`,
    )
    await judge(0)
    expect(await readConnection(key)).toBeUndefined()
  })

  it('that nobody could note is one of a client that is expected back', async () => {
    const { holder, key } = await leaveHolder({ aliveForMs: aliveMs, isLocked: false })
    await abandonEnded(ctx, { holder, isAlive: () => true })
    expect(await readConnection(key)).toMatchObject({ is_left: false })
    await abandonEnded(ctx, { holder, isAlive: () => false })
    expect(await readConnection(key)).toEqual({ is_left: true, unacknowledged: null })
  })
})
