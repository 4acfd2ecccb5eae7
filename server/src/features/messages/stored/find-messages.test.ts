import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { describe, expect, it } from 'vitest'
import type { Accepted } from '../accept/draft-message.ts'
import { addInstallation } from '../installation-rows.test-support.ts'
import { sendByQuery } from '../send/send-by-query.ts'
import { sendToUsers } from '../send/send-to-users.ts'
import { findMessages } from './find-messages.ts'

const store = await createTestStore()
const start = Date.now()

/** Each message is a second later than the one before. */
async function setUp() {
  let seconds = 0
  const ctx = await createTestApp(store, { at: () => new Date(start + seconds * 1000) })
  const send = async (body: Parameters<typeof sendToUsers>[1]) => {
    seconds++
    return (await sendToUsers(ctx, body)) as Accepted
  }
  const find = async (query: Parameters<typeof findMessages>[1]) => {
    const { data, cursor } = await findMessages(ctx, query)
    return { contents: data.map((message) => message.content), cursor }
  }
  return { ctx, send, find }
}

describe('messages are found', () => {
  it('by each key and by several, newest first', async () => {
    const { ctx, send, find } = await setUp()
    const other = await setUp()
    await send({ user: 'sara', content: '1', trackId: 't', clientId: 'c' })
    await send({ users: ['sara', 'omid'], content: '2', clientId: 'c' })
    await send({ user: 'omid', content: '3', trackId: 't' })
    await send({ user: '*', content: '4', trackId: 't' })
    await sendByQuery(ctx, { target: {}, content: '5', trackId: 'group' })
    await other.send({ user: 'sara', content: 'theirs', trackId: 't', clientId: 'c' })
    expect((await find({ trackId: 't' })).contents).toEqual(['4', '3', '1'])
    expect((await find({ clientId: 'c' })).contents).toEqual(['2', '1'])
    expect((await find({ user: 'sara' })).contents).toEqual(['2', '1'])
    expect((await find({ user: 'omid' })).contents).toEqual(['3', '2'])
    expect((await find({ user: '*' })).contents).toEqual(['4'])
    expect((await find({ user: 'sara', trackId: 't' })).contents).toEqual(['1'])
    expect((await find({ user: 'nobody' })).contents).toEqual([])
    expect((await find({})).contents).toHaveLength(5)
  })

  it('page by page, each once', async () => {
    const { send, find } = await setUp()
    for (let index = 0; index < 7; index++) await send({ user: 'sara', content: `${index}` })
    for (const query of [{ user: 'sara' }, {}]) {
      const seen: unknown[] = []
      let cursor: string | undefined
      do {
        const page = await find({ ...query, limit: 3, ...(cursor && { cursor }) })
        seen.push(...page.contents)
        cursor = page.cursor
      } while (cursor)
      expect(seen).toEqual(['6', '5', '4', '3', '2', '1', '0'])
    }
  })

  it('not with a cursor that is none', async () => {
    const { find } = await setUp()
    await expect(find({ cursor: 'page 2' })).rejects.toMatchObject({ code: 'invalid-request' })
  })
})

describe('a message that is found', () => {
  it('shows what was sent, and to whom', async () => {
    const { ctx, send } = await setUp()
    await addInstallation(ctx, 'sara')
    const { id } = await send({
      user: 'sara',
      content: 'hello',
      channel: '/private/default',
      trackId: 't',
      clientId: 'c',
      ttl: 60,
      data: { a: 1 },
      notification: { title: 'T' },
    })
    const { data } = await findMessages(ctx, {})
    expect(data).toEqual([
      {
        id,
        product: 'message',
        audience: 'users',
        createdAt: start + 1000,
        expireAt: start + 61_000,
        count: 1,
        user: 'sara',
        channel: 'private/default',
        trackId: 't',
        clientId: 'c',
        content: 'hello',
        data: { a: 1 },
        notification: { title: 'T' },
      },
    ])
  })

  it('says how many users it names, or which group', async () => {
    const { ctx, send } = await setUp()
    const segment = { all: [{ name: 'launchCount', operator: 'greater_than', value: 3 }] }
    await send({ users: ['sara', 'omid'], content: '1' })
    await send({ user: '*', content: '2' })
    await sendByQuery(ctx, { segment, content: '3' })
    const { data } = await findMessages(ctx, {})
    expect(data.find((message) => message.content === '1')).toMatchObject({ userCount: 2, audience: 'users' })
    expect(data.find((message) => message.content === '2')).toMatchObject({ user: '*', audience: 'public' })
    expect(data.find((message) => message.content === '3')).toMatchObject({ segment, audience: 'query' })
  })
})
