import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Accepted } from '../accept/draft-message.ts'
import { addInstallation, countRows, readBatches } from '../installation-rows.test-support.ts'
import { sendToUsers } from './send-to-users.ts'

const store = await createTestStore()

interface MessageRow {
  id: string
  recipients: number
  product: string
  audience: string
  channel: string
  track_id: string | null
  client_id: string | null
  body: unknown
  accepted_at: Date
  expires_at: Date
}

async function setUp(at?: () => Date) {
  const ctx = await createTestApp(store, at ? { at } : {})
  const send = async (body: Parameters<typeof sendToUsers>[1]) => (await sendToUsers(ctx, body)) as Accepted
  const sendMany = async (body: Parameters<typeof sendToUsers>[1]) => (await sendToUsers(ctx, body)) as Accepted[]
  const readMessages = () =>
    store.query<MessageRow>(sql`select * from messages where app_id = ${ctx.app.id} order by body->>'content'`)
  const readDeliveries = () =>
    store.query(sql`
      select message_id, installation_no, state, reason from deliveries where app_id = ${ctx.app.id} order by installation_no`)
  return { ctx, send, sendMany, readMessages, readDeliveries }
}

describe('a message to one user', () => {
  it('is stored, counted and queued for all devices of the user', async () => {
    const now = new Date()
    const { ctx, send, readMessages } = await setUp(() => now)
    const phone = await addInstallation(ctx, 'sara')
    const tablet = await addInstallation(ctx, 'sara', { deviceType: 'ios' })
    await addInstallation(ctx, 'omid')
    const answer = await send({
      user: 'sara',
      content: 'hello',
      data: { a: 1 },
      trackId: 't1',
      clientId: 'c1',
      ttl: 60,
      silent: true,
      autoNotify: false,
      notification: { title: 'T', text: 'B' },
    })
    expect(answer).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), count: 2 })
    expect(await readMessages()).toEqual([
      expect.objectContaining({
        id: answer.id,
        recipients: 2,
        product: 'message',
        audience: 'users',
        channel: 'default',
        track_id: 't1',
        client_id: 'c1',
        body: { content: 'hello', data: { a: 1 }, silent: true, notification: { title: 'T', body: 'B' } },
        accepted_at: now,
        expires_at: new Date(now.getTime() + 60_000),
      }),
    ])
    expect(await readBatches(ctx)).toEqual([
      {
        message_id: answer.id,
        lane: 'personal',
        state: 'queued',
        installation_nos: [phone.installationNo, tablet.installationNo],
      },
    ])
  })

  it('to a user nobody knows counts 0 and is kept all the same', async () => {
    const { ctx, send, readMessages } = await setUp()
    expect(await send({ user: 'nobody', content: 'hello' })).toMatchObject({ count: 0 })
    expect(await readMessages()).toHaveLength(1)
    expect(await readBatches(ctx)).toEqual([])
  })

  it('to a user whose installations are gone counts 0', async () => {
    const { ctx, send } = await setUp()
    await addInstallation(ctx, 'sara', { isUninstalled: true })
    expect(await send({ user: 'sara', content: 'hello' })).toMatchObject({ count: 0 })
    expect(await readBatches(ctx)).toEqual([])
  })

  it('never reaches the same user id of another app', async () => {
    const { ctx, send } = await setUp()
    const other = await setUp()
    await addInstallation(ctx, 'sara')
    await addInstallation(other.ctx, 'sara')
    await addInstallation(other.ctx, 'sara')
    const [mine, theirs] = await Promise.all([
      send({ user: 'sara', content: 'a' }),
      other.send({ user: 'sara', content: 'b' }),
    ])
    expect([mine.count, theirs.count]).toEqual([1, 2])
    expect(await readBatches(ctx)).toHaveLength(1)
    expect((await readBatches(other.ctx))[0]?.message_id).toBe(theirs.id)
  })

  it('with a trackId makes no campaign', async () => {
    const { ctx, send } = await setUp()
    await send({ user: 'sara', content: 'hello', trackId: 'spring' })
    expect(await countRows(ctx, 'campaigns')).toBe(0)
  })

  it('takes an empty trackId and clientId as none', async () => {
    const { send, readMessages } = await setUp()
    await send({ user: 'sara', content: 'hello', trackId: '', clientId: '' })
    expect(await readMessages()).toEqual([expect.objectContaining({ track_id: null, client_id: null })])
  })

  it('that is live finds nobody connected: it counts 0 and is not queued', async () => {
    const { ctx, send, readMessages } = await setUp()
    await addInstallation(ctx, 'sara')
    expect(await send({ user: 'sara', content: 'hello', live: true })).toMatchObject({ count: 0 })
    expect(await readBatches(ctx)).toEqual([])
    expect(await readMessages()).toEqual([
      expect.objectContaining({ recipients: 0, body: { content: 'hello', live: true } }),
    ])
  })

  it('with a template that takes a promo code is accepted', async () => {
    const { send, readMessages } = await setUp()
    await send({ user: 'sara', content: 'Your code: {{ promoCode }}' })
    expect(await readMessages()).toHaveLength(1)
  })
})

describe('a message to several users', () => {
  it('is one message with the total, whichever key names them', async () => {
    const { ctx, send, readMessages } = await setUp()
    await addInstallation(ctx, 'sara')
    await addInstallation(ctx, 'sara')
    await addInstallation(ctx, 'omid')
    const answer = await send({ users: ['sara', 'omid', 'nobody', 'sara'], content: '1' })
    expect(answer.count).toBe(3)
    expect((await send({ user: ['sara', 'omid'], content: '2' })).count).toBe(3)
    expect(await readMessages()).toHaveLength(2)
    const named = await store.query(sql`
      select user_id from message_users where app_id = ${ctx.app.id} and message_id = ${answer.id} order by 1`)
    expect(named).toEqual([{ user_id: 'nobody' }, { user_id: 'omid' }, { user_id: 'sara' }])
  })

  it('of many users is queued in batches of 500 installations', async () => {
    const { ctx, send } = await setUp()
    await store.query(sql`
      with u as (
        insert into users (app_id, user_id) select ${ctx.app.id}, 'u' || n from generate_series(1, 1200) n returning user_no
      )
      insert into installations (app_id, user_no, installed_at, launched_at, logged_in_at, is_guest, id, device_type)
      select ${ctx.app.id}, user_no, now(), now(), now(), false, gen_random_uuid(), 'android' from u`)
    const users = Array.from({ length: 10_000 }, (_, index) => `u${index + 1}`)
    expect((await send({ users, content: 'hello' })).count).toBe(1200)
    const batches = await readBatches(ctx)
    expect(batches.map((batch) => batch.installation_nos?.length)).toEqual([500, 500, 200])
    expect(new Set(batches.flatMap((batch) => batch.installation_nos)).size).toBe(1200)
    expect(await countRows(ctx, 'message_users')).toBe(10_000)
  })
})

describe('an array of messages', () => {
  it('is answered in its order', async () => {
    const { ctx, sendMany, readMessages } = await setUp()
    await addInstallation(ctx, 'sara')
    await addInstallation(ctx, 'omid')
    await addInstallation(ctx, 'omid')
    const answers = await sendMany([
      { user: 'omid', content: 'a' },
      { user: 'nobody', content: 'b' },
      { user: 'sara', content: 'c' },
      { users: ['sara', 'omid'], content: 'd' },
      { user: '*', content: 'e' },
      { user: 'sara', content: 'f' },
    ])
    expect(answers.map((answer) => answer.count)).toEqual([2, 0, 1, 3, 3, 1])
    expect((await readMessages()).map((message) => message.id)).toEqual(answers.map((answer) => answer.id))
  })

  it('with one invalid element is refused as a whole, with its index', async () => {
    const { ctx, sendMany } = await setUp()
    await addInstallation(ctx, 'sara')
    const good = { user: 'sara', content: 'hello' }
    const bad = { user: 'sara', content: '{{ broken' }
    await expect(sendMany([good, good, bad])).rejects.toMatchObject({
      code: 'invalid-template',
      message: expect.stringMatching(/^Element 2: "content"/),
      details: { field: 'content', index: 2 },
    })
    await expect(sendMany([good, { content: 'x' }])).rejects.toThrow(
      'Element 1: Expected exactly one of "user" or "users"',
    )
    expect(await countRows(ctx, 'messages')).toBe(0)
    expect(await countRows(ctx, 'delivery_batches')).toBe(0)
  })

  it('may be long', async () => {
    const { ctx, sendMany } = await setUp()
    await addInstallation(ctx, 'u7')
    const answers = await sendMany(
      Array.from({ length: 10_000 }, (_, index) => ({ user: `u${index % 5000}`, content: `${index}` })),
    )
    expect(answers).toHaveLength(10_000)
    expect(answers.flatMap((answer, index) => (answer.count > 0 ? [index] : []))).toEqual([7, 5007])
    expect(await countRows(ctx, 'messages')).toBe(10_000)
  })
})

describe('channels', () => {
  it('count subscribed installations only; the delivery to others has ended', async () => {
    const { ctx, send, readDeliveries, readMessages } = await setUp()
    const reader = await addInstallation(ctx, 'sara', { subscriptions: ['public/news', 'orders'] })
    const other = await addInstallation(ctx, 'sara', { subscriptions: ['news'] })
    const answer = await send({ user: 'sara', content: 'hello', channel: 'news' })
    expect(answer.count).toBe(1)
    expect((await readBatches(ctx))[0]?.installation_nos).toEqual([reader.installationNo])
    expect(await readDeliveries()).toEqual([
      { message_id: answer.id, installation_no: other.installationNo, state: 'ended', reason: 'not-in-channel' },
    ])
    expect(await readMessages()).toEqual([expect.objectContaining({ channel: 'public/news' })])
  })

  it('that are private are the bare names of the subscriptions', async () => {
    const { ctx, send } = await setUp()
    const reader = await addInstallation(ctx, 'sara', { subscriptions: ['orders'] })
    await addInstallation(ctx, 'sara', { subscriptions: ['public/orders'] })
    expect((await send({ user: 'sara', content: 'hello', channel: '/private/orders' })).count).toBe(1)
    expect((await readBatches(ctx))[0]?.installation_nos).toEqual([reader.installationNo])
  })

  it('named default hold everybody, and the one named like an installation that installation', async () => {
    const { ctx, send } = await setUp()
    const { id } = await addInstallation(ctx, 'sara')
    await addInstallation(ctx, 'sara')
    for (const channel of ['', 'default', '/public/default', '/private/default']) {
      expect((await send({ user: 'sara', content: 'hello', channel })).count).toBe(2)
    }
    expect((await send({ user: 'sara', content: 'hello', channel: `/private/${id}` })).count).toBe(1)
  })
})

describe('a message to everybody', () => {
  it('goes to all installations of the app, as one batch to be expanded', async () => {
    const { ctx, send, readMessages } = await setUp()
    const other = await setUp()
    await addInstallation(ctx, 'sara')
    await addInstallation(ctx, 'omid')
    await addInstallation(ctx, 'mina', { isUninstalled: true })
    await addInstallation(other.ctx, 'sara')
    const answer = await send({ user: '*', content: 'hello' })
    expect(answer.count).toBe(2)
    expect(await readBatches(ctx)).toEqual([
      { message_id: answer.id, lane: 'group', state: 'queued', installation_nos: null },
    ])
    expect(await readMessages()).toEqual([expect.objectContaining({ audience: 'public', recipients: 2 })])
    expect(await countRows(ctx, 'message_users')).toBe(0)
  })

  it('on a public channel goes to its subscribers, and nothing is noted of others', async () => {
    const { ctx, send, readDeliveries } = await setUp()
    await addInstallation(ctx, 'sara', { subscriptions: ['public/news'] })
    await addInstallation(ctx, 'omid', { subscriptions: ['news'] })
    expect((await send({ user: '*', content: 'hello', channel: 'news' })).count).toBe(1)
    expect(await readDeliveries()).toEqual([])
  })

  it('takes neither a private channel nor an SMS', async () => {
    const { send } = await setUp()
    await expect(send({ user: '*', content: 'x', channel: '/private/orders' })).rejects.toThrow(
      'expected a public channel',
    )
    await expect(send({ user: '*', content: 'x', fallback: { content: 'sms' } })).rejects.toThrow(
      '"fallback" needs specific users',
    )
  })

  it('that nobody would get is not queued', async () => {
    const { ctx, send } = await setUp()
    await addInstallation(ctx, 'sara')
    expect((await send({ user: '*', content: 'x', channel: 'news' })).count).toBe(0)
    expect((await send({ user: '*', content: 'x', live: true })).count).toBe(0)
    expect(await readBatches(ctx)).toEqual([])
  })
})

describe('what is refused', () => {
  it('is a body for a group', async () => {
    const { send } = await setUp()
    await expect(send({ target: {}, content: 'x' } as never)).rejects.toThrow(
      'Expected exactly one of "user" or "users", got "target".',
    )
    await expect(send({ user: 'a', segment: { all: [] }, content: 'x' } as never)).rejects.toMatchObject({
      code: 'invalid-request',
    })
  })

  it('is a link that runs something', async () => {
    const { ctx, send } = await setUp()
    const notification = { title: 't', clickUrl: 'javascript:alert(1)' }
    await expect(send({ user: 'sara', content: 'x', notification })).rejects.toMatchObject({ code: 'invalid-request' })
    expect(await countRows(ctx, 'messages')).toBe(0)
  })

  it('is more than 10,000 users', async () => {
    const { send } = await setUp()
    const users = Array.from({ length: 10_001 }, (_, index) => `u${index}`)
    await expect(send({ users, content: 'x' })).rejects.toMatchObject({ code: 'too-large' })
  })
})

describe('many at once', () => {
  it('are each answered with their own id and count', async () => {
    const { ctx, send } = await setUp()
    const other = await setUp()
    for (const [user, devices] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ] as const) {
      for (let device = 0; device < devices; device++) await addInstallation(ctx, user)
    }
    await addInstallation(other.ctx, 'c')
    const users = ['a', 'b', 'c', 'd']
    const expected = [1, 2, 3, 0]
    const calls = Array.from({ length: 200 }, (_, index) =>
      index % 5 === 4
        ? other.send({ user: 'c', content: `${index}` })
        : send({ user: users[index % 5] as string, content: `${index}` }),
    )
    const answers = await Promise.all(calls)
    expect(answers.map((answer) => answer.count)).toEqual(
      Array.from({ length: 200 }, (_, index) => expected[index % 5] ?? 1),
    )
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(200)
    expect(await countRows(ctx, 'messages')).toBe(160)
    expect(await countRows(other.ctx, 'messages')).toBe(40)
    const contents = await store.query<{ id: string; content: string }>(sql`
      select id, body->>'content' as content from messages where app_id in (${ctx.app.id}, ${other.ctx.app.id})`)
    for (const { id, content } of contents) expect(answers[Number(content)]?.id).toBe(id)
  })

  it('with one bad among them refuse that one alone', async () => {
    const { ctx, send } = await setUp()
    const calls = Array.from({ length: 20 }, (_, index) => send({ user: 'a', content: index === 7 ? '{{' : 'fine' }))
    const results = await Promise.allSettled(calls)
    expect(results.flatMap((result, index) => (result.status === 'rejected' ? [index] : []))).toEqual([7])
    expect(await countRows(ctx, 'messages')).toBe(19)
  })
})

describe('inside the transaction of an idempotency key', () => {
  it.each([
    ['one user', { user: 'sara', content: 'x' }],
    ['everybody', { user: '*', content: 'x' }],
    [
      'an array',
      [
        { user: 'sara', content: 'x' },
        { user: '*', content: 'y' },
      ],
    ],
  ])('a message to %s is gone when the transaction is', async (_name, body) => {
    const { ctx } = await setUp()
    await addInstallation(ctx, 'sara')
    const work = store.transaction(async (tx) => {
      const answer = await sendToUsers({ ...ctx, tx }, body)
      expect([answer].flat()[0]?.count).toBe(1)
      throw new Error('rolled back')
    })
    await expect(work).rejects.toThrow('rolled back')
    for (const table of ['messages', 'message_users', 'delivery_batches'] as const)
      expect(await countRows(ctx, table)).toBe(0)
  })
})
