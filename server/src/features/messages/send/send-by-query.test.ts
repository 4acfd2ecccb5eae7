import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { addInstallation, countRows, readBatches } from '../installation-rows.test-support.ts'
import { sendByQuery } from './send-by-query.ts'

const store = await createTestStore()

async function setUp() {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara')
  await addInstallation(ctx, 'sara', { deviceType: 'ios', subscriptions: ['public/news'] })
  await addInstallation(ctx, 'omid', { deviceType: 'ios' })
  await addInstallation(ctx, 'mina', { deviceType: 'ios', isUninstalled: true })
  const send = (body: Record<string, unknown>) => sendByQuery(ctx, { content: 'hello', ...body } as never)
  const readMessages = () =>
    store.query(
      sql`select id, audience, product, recipients, target, track_id, body from messages where app_id = ${ctx.app.id}`,
    )
  return { ctx, send, readMessages }
}

const onIos = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'ios' }] }

describe('a message to a group', () => {
  it('by a segment is counted, kept with its segment, and queued to be expanded', async () => {
    const { ctx, send, readMessages } = await setUp()
    const answer = await send({ segment: onIos })
    expect(answer).toEqual({ id: expect.any(String), count: 2 })
    expect(await readMessages()).toEqual([
      {
        id: answer.id,
        audience: 'query',
        product: 'message',
        recipients: 2,
        target: { segment: onIos },
        track_id: null,
        body: { content: 'hello' },
      },
    ])
    expect(await readBatches(ctx)).toEqual([
      { message_id: answer.id, lane: 'group', state: 'queued', installation_nos: null },
    ])
  })

  it('by a target takes a where-filter, and {} for everybody', async () => {
    const { send, readMessages } = await setUp()
    expect((await send({ target: { deviceType: 'ios' } })).count).toBe(2)
    expect((await send({ target: {} })).count).toBe(3)
    expect((await send({ target: '{}' })).count).toBe(3)
    expect(await readMessages()).toContainEqual(expect.objectContaining({ target: { target: { deviceType: 'ios' } } }))
  })

  it('on a channel counts subscribers only', async () => {
    const { send } = await setUp()
    expect((await send({ segment: onIos, channel: 'news' })).count).toBe(1)
    expect((await send({ segment: onIos, channel: '/private/orders' })).count).toBe(0)
  })

  it('never counts installations of another app', async () => {
    const { send } = await setUp()
    await setUp()
    expect((await send({ target: {} })).count).toBe(3)
  })

  it('that finds nobody is kept and not queued', async () => {
    const { ctx, send } = await setUp()
    expect((await send({ target: { deviceType: 'web' } })).count).toBe(0)
    expect((await send({ target: {}, live: true })).count).toBe(0)
    expect(await countRows(ctx, 'messages')).toBe(2)
    expect(await readBatches(ctx)).toEqual([])
  })

  it('leaves out the personal-only fallback', async () => {
    const { send, readMessages } = await setUp()
    await send({ target: {}, fallback: { content: 'sms' } })
    expect(await readMessages()).toEqual([expect.objectContaining({ body: { content: 'hello' } })])
  })
})

describe('a trackId', () => {
  it('makes the campaign the first time', async () => {
    const { ctx, send } = await setUp()
    await send({ target: {}, trackId: 'spring' })
    await send({ target: {}, trackId: 'spring' })
    expect(await store.query(sql`select track_id, name from campaigns where app_id = ${ctx.app.id}`)).toEqual([
      { track_id: 'spring', name: 'spring' },
    ])
  })

  it('makes one campaign when many sends come at once', async () => {
    const { ctx, send } = await setUp()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send({ target: {}, trackId: 'spring' })))
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(20)
    expect(await countRows(ctx, 'campaigns')).toBe(1)
    expect(await countRows(ctx, 'messages')).toBe(20)
  })

  it('leaves no campaign and no message when the transaction is rolled back', async () => {
    const { ctx } = await setUp()
    const work = store.transaction(async (tx) => {
      await sendByQuery({ ...ctx, tx }, { target: {}, content: 'x', trackId: 'spring' })
      throw new Error('rolled back')
    })
    await expect(work).rejects.toThrow('rolled back')
    for (const table of ['messages', 'campaigns', 'delivery_batches'] as const)
      expect(await countRows(ctx, table)).toBe(0)
  })
})

describe('what is refused', () => {
  it.each([
    [{}, 'Expected exactly one of "target" or "segment", got none of them.'],
    [{ target: {}, segment: onIos }, 'got "target" and "segment".'],
    [{ target: {}, user: 'sara' }, 'got "user" and "target".'],
    [{ segment: onIos, users: ['sara'] }, 'got "users" and "segment".'],
    [{ user: 'sara' }, 'got "user".'],
  ])('is %j', async (body, message) => {
    const { ctx, send } = await setUp()
    await expect(send(body)).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining(message),
    })
    expect(await countRows(ctx, 'messages')).toBe(0)
  })

  it('is a rule with a typo, and nothing is stored', async () => {
    const { ctx, send } = await setUp()
    const segment = { all: [{ name: 'deviceTyp', operator: 'equal_to', value: 'ios' }] }
    await expect(send({ segment, trackId: 'spring' })).rejects.toMatchObject({ status: 400 })
    await expect(send({ segment, live: true })).rejects.toMatchObject({ status: 400 })
    expect(await countRows(ctx, 'messages')).toBe(0)
    expect(await countRows(ctx, 'campaigns')).toBe(0)
  })

  it('is a template that does not parse', async () => {
    const { send } = await setUp()
    await expect(send({ target: {}, content: '{% if %}' })).rejects.toMatchObject({ code: 'invalid-template' })
  })
})

it('keeps the rules of a saved segment as they were when the message was accepted', async () => {
  const { ctx, send, readMessages } = await setUp()
  await store.query(sql`
    insert into segments (app_id, segment_id, name, definition) values (${ctx.app.id}, gen_random_uuid(), 'apple', ${JSON.stringify(onIos)})`)
  expect((await send({ target: 'apple' })).count).toBe(2)
  expect(await readMessages()).toMatchObject([{ target: { segment: onIos, segmentId: expect.any(String) } }])
})
