import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { takeBatches, takeExpired, takeExpiredOfDead } from './take-batches.ts'

const store = await createTestStore()

it('takes of every app in its turn, however much the others have', async () => {
  const apps = [await createTestApp(store), await createTestApp(store), await createTestApp(store)].map(
    ({ app }) => app,
  )
  for (const { id } of apps) {
    await store.query(sql`
      insert into delivery_batches (app_id, message_id, lane, installation_nos)
      select ${id}, ${randomUUID()}, 'personal', '{1}' from generate_series(1, 1000)`)
  }
  const wanted = {
    lane: 'personal',
    lease: { holder: randomUUID(), ms: 10_000 },
    blocked: [],
    perStream: 10,
    limit: 20,
  } as const
  const taken = new Set<number>()
  for (let turn = 0; turn < 50; turn++) for (const { appId } of await takeBatches(store, wanted)) taken.add(appId)
  for (const { id } of apps) expect(taken).toContain(id)
})

it('takes nothing of a stream that is blocked', async () => {
  const { app } = await createTestApp(store)
  await store.query(sql`
    insert into delivery_batches (app_id, message_id, lane, stream, installation_nos)
    values (${app.id}, ${randomUUID()}, 'group', 'fcm', '{1}'), (${app.id}, ${randomUUID()}, 'group', 'apns', '{2}')`)
  const wanted = { lane: 'group', lease: { holder: randomUUID(), ms: 10_000 }, perStream: 10, limit: 100 } as const
  const rows = await takeBatches(store, { ...wanted, blocked: [`${app.id}/fcm`] })
  expect(rows.filter(({ appId }) => appId === app.id).map(({ stream }) => stream)).toEqual(['apns'])
})

describe('messages to groups', async () => {
  const lease = { holder: randomUUID(), ms: 10_000 }
  const wanted = { lane: 'group', lease, blocked: [], perStream: 2, limit: 32 } as const
  const add = (appId: number, messageId: string, { batches, size }: { batches: number; size: number }) =>
    store.query(sql`
      insert into delivery_batches (app_id, message_id, lane, stream, available_at, installation_nos)
      select ${appId}, ${messageId}, 'group', 'fcm', now() - n * interval '1 millisecond', array_fill(1::bigint, array[${size}::int])
      from generate_series(1, ${batches}::int) n`)
  const countTaken = (rows: { appId: number; messageId: string; installationNos: number[] }[], messageId: string) =>
    rows.reduce((sum, row) => sum + (row.messageId === messageId ? row.installationNos.length : 0), 0)

  it('take turns, however many batches of one are due, and a turn of small batches brings several', async () => {
    const { app } = await createTestApp(store)
    const [large, throttled] = [randomUUID(), randomUUID()]
    await add(app.id, large, { batches: 300, size: 500 })
    await add(app.id, throttled, { batches: 5, size: 40 })
    const own = (await takeBatches(store, wanted)).filter(({ appId }) => appId === app.id)
    expect([countTaken(own, large), countTaken(own, throttled)]).toEqual([500, 200])
    // Alone it has both turns.
    const alone = (await takeBatches(store, wanted)).filter(({ appId }) => appId === app.id)
    expect(countTaken(alone, large)).toBe(1_000)
  })

  it('are all taken in the end when they are more than a take has turns', async () => {
    const { app } = await createTestApp(store)
    const messages = Array.from({ length: 7 }, () => randomUUID())
    for (const message of messages) await add(app.id, message, { batches: 20, size: 500 })
    const taken = new Set<string>()
    for (let turn = 0; turn < 60; turn++)
      for (const { appId, messageId } of await takeBatches(store, wanted)) if (appId === app.id) taken.add(messageId)
    expect(taken).toEqual(new Set(messages))
  })

  it('that crowd their sender wait, and others of the stream do not', async () => {
    const { app } = await createTestApp(store)
    const [large, other] = [randomUUID(), randomUUID()]
    for (const message of [large, other]) await add(app.id, message, { batches: 5, size: 500 })
    const rows = await takeBatches(store, { ...wanted, crowding: [`${app.id}/fcm/${large}`] })
    const own = rows.filter(({ appId }) => appId === app.id)
    expect([countTaken(own, large), countTaken(own, other)]).toEqual([0, 1_000])
  })
})

describe('the end of expired messages', async () => {
  const ctx = await createTestApp(store)
  await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
  const lease = { holder: randomUUID(), ms: 10_000 }
  const sent = async () => {
    const { id } = (await sendToUsers(ctx, { user: 'sara', content: 'Hello', ttl: 60 })) as { id: string }
    return id
  }
  const expire = (id: string) =>
    store.query(sql`
      with expired as (update messages set expires_at = now() where id = ${id})
      update delivery_batches set expires_at = case when expires_at is not null then now() end where message_id = ${id}`)
  const taken = async (take: typeof takeExpired) => (await take(store, lease)).map(({ messageId }) => messageId)

  it('takes what has expired, and nothing else', async () => {
    const [expired] = [await sent(), await sent()]
    expect(await taken(takeExpired)).toEqual([])
    await expire(expired as string)
    expect(await taken(takeExpired)).toEqual([expired])
    expect(await taken(takeExpired)).toEqual([])
  })

  it('takes what a process has that lives no more, and what an older version stored', async () => {
    const [ofDead, ofOlder, ofLiving] = [await sent(), await sent(), await sent()] as const
    const hold = (id: string, until: string) =>
      store.query(sql`
        update delivery_batches set lease_holder = ${randomUUID()}, available_at = now() + ${until}::interval where message_id = ${id}`)
    await hold(ofDead, '-1 second')
    await hold(ofLiving, '1 hour')
    await store.query(sql`update delivery_batches set expires_at = null where message_id = ${ofOlder}`)
    for (const id of [ofDead, ofOlder, ofLiving]) await expire(id)
    expect(await taken(takeExpired)).toEqual([])
    expect((await taken(takeExpiredOfDead)).sort()).toEqual([ofDead, ofOlder].sort())
  })
})
