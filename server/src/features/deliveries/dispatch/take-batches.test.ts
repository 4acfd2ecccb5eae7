import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestApp, createTestStore } from '../../../../../test/helpers/database/test-store.ts'
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
  expect(taken).toEqual(new Set(apps.map(({ id }) => id)))
})

it('takes nothing of a stream that is blocked', async () => {
  const { app } = await createTestApp(store)
  await store.query(sql`
    insert into delivery_batches (app_id, message_id, lane, stream, installation_nos)
    values (${app.id}, ${randomUUID()}, 'group', 'fcm', '{1}'), (${app.id}, ${randomUUID()}, 'group', 'apns', '{2}')`)
  const wanted = { lane: 'group', lease: { holder: randomUUID(), ms: 10_000 }, perStream: 10, limit: 20 } as const
  const rows = await takeBatches(store, { ...wanted, blocked: [`${app.id}/fcm`] })
  expect(rows.map(({ stream }) => stream)).toEqual(['apns'])
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
