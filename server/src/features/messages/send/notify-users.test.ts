import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Accepted } from '../accept/draft-message.ts'
import { addInstallation, countRows, readBatches } from '../installation-rows.test-support.ts'
import { notifyToUsers } from './notify-to-users.ts'
import { notifyUser } from './notify-user.ts'
import { notifyUsers } from './notify-users.ts'

const store = await createTestStore()
const day = 86_400_000

async function setUp() {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara')
  await addInstallation(ctx, 'sara', { deviceType: 'ios' })
  await addInstallation(ctx, 'omid')
  const notify = async (body: Parameters<typeof notifyUsers>[1]) => (await notifyUsers(ctx, body)) as Accepted
  const readMessages = () =>
    store.query<{ accepted_at: Date; expires_at: Date; [name: string]: unknown }>(
      sql`select * from messages where app_id = ${ctx.app.id} order by body->>'content'`,
    )
  return { ctx, notify, readMessages }
}

describe('a notification to users', () => {
  it('is kept as a notification and lives 28 days', async () => {
    const { ctx, notify, readMessages } = await setUp()
    const answer = await notify({ user: 'sara', content: 'hello' })
    expect(answer.count).toBe(2)
    const [message] = await readMessages()
    expect(message).toMatchObject({
      id: answer.id,
      product: 'notification',
      audience: 'users',
      body: { content: 'hello' },
    })
    expect(Number(message?.expires_at) - Number(message?.accepted_at)).toBe(28 * day)
    expect(await readBatches(ctx)).toHaveLength(1)
  })

  it('takes all shapes of a message', async () => {
    const { notify, ctx } = await setUp()
    expect((await notify({ users: ['sara', 'omid'], content: 'x' })).count).toBe(3)
    expect((await notify({ user: ['sara', 'omid'], content: 'x' })).count).toBe(3)
    expect((await notify({ user: '*', content: 'x' })).count).toBe(3)
    const answers = await notifyUsers(ctx, [
      { user: 'omid', content: 'x' },
      { users: ['sara'], content: 'y' },
    ])
    expect((answers as Accepted[]).map((answer) => answer.count)).toEqual([1, 2])
  })

  it('does not look at channels', async () => {
    const { notify, readMessages } = await setUp()
    expect((await notify({ user: 'sara', content: 'x', channel: 'news' })).count).toBe(2)
    expect((await notify({ user: '*', content: 'y', channel: '/private/news' })).count).toBe(3)
    expect(await readMessages()).toMatchObject([{ channel: 'default' }, { channel: 'default' }])
  })

  it('needs content or a notification object', async () => {
    const { notify } = await setUp()
    expect((await notify({ user: 'sara', notification: { title: 'Hi' } })).count).toBe(2)
    await expect(notify({ user: 'sara', silent: true })).rejects.toThrow('"content" is required.')
  })
})

describe('a notification to a group', () => {
  it('goes to the installations that match, and makes the campaign', async () => {
    const { ctx, notify, readMessages } = await setUp()
    const segment = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'ios' }] }
    expect((await notify({ segment, content: 'a', trackId: 'spring' })).count).toBe(1)
    expect((await notify({ target: {}, content: 'b' })).count).toBe(3)
    expect(await readMessages()).toMatchObject([
      { product: 'notification', audience: 'query', track_id: 'spring', target: { segment } },
      { product: 'notification', audience: 'query', target: { target: {} } },
    ])
    expect(await countRows(ctx, 'campaigns')).toBe(1)
  })

  it('names exactly one kind of receivers', async () => {
    const { notify } = await setUp()
    await expect(notify({ content: 'x' })).rejects.toThrow(
      'Expected exactly one of "user", "users", "target" or "segment", got none',
    )
    await expect(notify({ user: 'sara', target: {}, content: 'x' })).rejects.toThrow('got "user" and "target".')
    await expect(notify({ target: {}, segment: { all: [] }, content: 'x' })).rejects.toThrow(
      'got "target" and "segment".',
    )
  })

  it('is not taken inside an array', async () => {
    const { notify } = await setUp()
    await expect(notify([{ target: {}, content: 'x' }])).rejects.toThrow(
      'Element 0: Expected exactly one of "user" or "users", got "target".',
    )
  })
})

describe('a notification with a fallback', () => {
  it('keeps the fallback with its defaults', async () => {
    const { ctx, readMessages } = await setUp()
    const answer = await notifyToUsers(ctx, { users: ['sara', 'omid'], content: 'x', fallback: { content: 'sms' } })
    expect(answer).toEqual({ id: expect.any(String), count: 3 })
    expect(await readMessages()).toMatchObject([
      {
        product: 'notification',
        body: { fallback: { content: 'sms', delay: 60, media: 'sms', policy: 'NOT_RECEIVED' } },
      },
    ])
  })

  it('is for named users only', async () => {
    const { ctx } = await setUp()
    await expect(notifyToUsers(ctx, { target: {}, content: 'x' } as never)).rejects.toThrow(
      'Expected exactly one of "user" or "users"',
    )
    await expect(notifyToUsers(ctx, { content: 'x' })).rejects.toThrow('Expected exactly one of "user" or "users"')
  })
})

describe('a notification object for one user', () => {
  it('is a notification without a message', async () => {
    const { ctx, readMessages } = await setUp()
    const answer = await notifyUser(ctx, {
      userId: 'sara',
      notification: { title: 'Hi', text: 'there', sound: 'bell' },
    })
    expect(answer).toEqual({ id: expect.any(String), count: 2 })
    expect(await readMessages()).toMatchObject([
      { id: answer.id, product: 'notification', body: { notification: { title: 'Hi', body: 'there', sound: 'bell' } } },
    ])
  })

  it('is checked like any other', async () => {
    const { ctx } = await setUp()
    const notification = { title: 'Hi', clickUrl: 'data:text/html,x' }
    await expect(notifyUser(ctx, { userId: 'sara', notification })).rejects.toMatchObject({ code: 'invalid-request' })
  })
})
