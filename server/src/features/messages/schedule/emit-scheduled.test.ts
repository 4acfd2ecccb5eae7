import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { listenTo, readOutbox } from '@peyk/test/outbox.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import type { Accepted } from '../accept/draft-message.ts'
import { addInstallation } from '../installation-rows.test-support.ts'
import { sendByQuery } from '../send/send-by-query.ts'
import { sendToUsers } from '../send/send-to-users.ts'
import { changeScheduled } from './change-scheduled.ts'
import { startScheduled } from './start-scheduled.ts'

const store = await createTestStore()
const HOUR = 3_600_000

async function setUp() {
  const ctx = await createTestApp(store)
  await listenTo(ctx)
  await addInstallation(ctx, 'sara')
  await addInstallation(ctx, 'omid')
  const heard = async () => (await readOutbox(ctx)).filter(({ kind }) => /scheduled|started/.test(kind))
  return { ctx, heard, sendAt: Date.now() + 2 * HOUR }
}

async function start(ctx: Context, id: string): Promise<void> {
  await store.query(sql`
    update scheduled_messages set due_at = peyk_now(), available_at = peyk_now() where app_id = ${ctx.app.id} and id = ${id}`)
  while (await startScheduled(ctx));
}

it('webhooks are told that a message was scheduled, moved, and started', async () => {
  const { ctx, heard, sendAt } = await setUp()
  const message = { user: 'sara', content: 'Hello', trackId: 'spring', clientId: 'order-7', sendAt }
  const { id } = (await sendToUsers(ctx, message)) as Accepted
  const about = { messageId: id, trackId: 'spring', clientId: 'order-7' }
  expect(await heard()).toEqual([{ kind: 'message.scheduled', body: { ...about, sendAt, count: 1 } }])

  await changeScheduled(ctx, { id, change: { content: 'Good morning' } })
  expect(await heard()).toHaveLength(1)
  await changeScheduled(ctx, { id, change: { sendAt: sendAt + HOUR } })
  expect((await heard())[1]).toEqual({
    kind: 'message.scheduled',
    body: { ...about, sendAt: sendAt + HOUR, count: 1 },
  })

  await start(ctx, id)
  expect((await heard()).slice(2)).toEqual([
    { kind: 'message.started', body: { ...about, sendAt: expect.any(Number) } },
  ])
})

it('they are told the local time of a message, and nothing of one that goes now', async () => {
  const { ctx, heard, sendAt } = await setUp()
  await sendByQuery(ctx, { target: {}, content: 'Hello' })
  expect(await heard()).toEqual([])
  const localTime = { local: new Date(sendAt + 48 * HOUR).toISOString().slice(0, 16), late: 'skip' } as const
  const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello', sendAt: localTime })
  expect(await heard()).toEqual([
    { kind: 'message.scheduled', body: { messageId: id, sendAt: expect.any(Number), localTime, count: 2 } },
  ])
  await start(ctx, id)
  expect((await heard())[1]).toMatchObject({ kind: 'message.started', body: { messageId: id, localTime } })
})

it('each occurrence of a series is told of, with its series', async () => {
  const { ctx, heard, sendAt } = await setUp()
  const repeat = { rule: 'FREQ=DAILY' }
  const { id, seriesId } = await sendByQuery(ctx, { target: {}, content: 'Hello', sendAt, repeat })
  const scheduled = await heard()
  expect(scheduled).toHaveLength(5)
  expect(scheduled.every(({ kind, body }) => kind === 'message.scheduled' && body.seriesId === seriesId)).toBe(true)
  await start(ctx, id)
  const since = (await heard()).slice(5)
  expect(since.map(({ kind }) => kind).toSorted()).toEqual(['message.scheduled', 'message.started'])
  expect(since.find(({ kind }) => kind === 'message.started')?.body).toMatchObject({ messageId: id, seriesId })
})

it('a start that fails tells of nothing', async () => {
  const { ctx, heard, sendAt } = await setUp()
  const { id } = (await sendToUsers(ctx, { user: 'sara', content: 'Hello', sendAt })) as Accepted
  await store.query(
    sql`update scheduled_messages set sent = '{"content":"{% if"}', due_at = peyk_now(), available_at = peyk_now() where id = ${id}`,
  )
  await startScheduled(ctx)
  expect((await heard()).map(({ kind }) => kind)).toEqual(['message.scheduled'])
})
