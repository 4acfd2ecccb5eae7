import { checker, type LiveData, MessageCounts, panelMessage, panelMessages } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { cancelMessage } from '../../deliveries/control/cancel-message.ts'
import { pauseMessage } from '../../deliveries/control/pause-message.ts'
import { stopAllSending } from '../../deliveries/control/stop-all-sending.ts'
import { changeCounters } from '../../deliveries/progress/change-counters.ts'
import { addMessageTo } from '../../deliveries/progress/counters.test-support.ts'
import { addDeliveries, addInstallation } from '../../events/events.test-support.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { recordReceipts } from '../../receipts/record-receipts.ts'
import { createSegment } from '../../segments/saved/create-segment.ts'
import { sampleLive } from '../overview/sample-live.ts'
import { describeMessage } from './describe-message.ts'
import { listMessageLines } from './list-message-lines.ts'

const store = await createTestStore()
const everybody = { all: [{ name: 'launchCount', operator: 'greater_than', value: 0 }] }

async function setUp() {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const toGroup = async (sent: object) =>
    (await sendByQuery(ctx, { target: {}, content: 'Hello', ...sent })) as { id: string; count: number }
  const toUser = async (sent: object) =>
    (await sendToUsers(ctx, { user: 'sara', content: 'Hello', ...sent } as never)) as { id: string }
  const find = async (query: Parameters<typeof listMessageLines>[1]) =>
    (await listMessageLines(ctx, query)).data.map(({ id }) => id)
  return { ctx, phone, toGroup, toUser, find }
}

describe('the list of messages', () => {
  it('has the newest first with how far they have come, page by page', async () => {
    const { ctx, toGroup, toUser } = await setUp()
    const other = await setUp()
    await other.toGroup({})
    const group = await toGroup({ trackId: 'spring', notification: { title: 'Spring', body: 'It is here' } })
    const personal = await toUser({ alertText: 'Only for you', silent: true })
    const first = await listMessageLines(ctx, { limit: 1 })
    const second = await listMessageLines(ctx, { limit: 1, cursor: first.cursor as string })
    expect(checker(panelMessages.answer)(first).fault).toBeUndefined()
    expect(first.data[0]).toMatchObject({
      ...{ id: personal.id, audience: 'users', user: 'sara', text: 'Only for you', silent: true, count: 1 },
      states: { queued: 1, sent: 0 },
      progress: { total: 1, settled: 0, waiting: 1 },
    })
    expect(second.data[0]).toMatchObject({
      ...{ id: group.id, audience: 'query', trackId: 'spring', title: 'Spring', text: 'It is here' },
      states: { queued: 1 },
    })
    expect(second.cursor).toBeUndefined()
    expect(second.data[0]).not.toHaveProperty('userCount')
  })

  it('tells a test send, and every provider that a message waits for', async () => {
    const { ctx, toGroup, toUser } = await setUp()
    await toUser({ clientId: 'panel-test' })
    const { id } = await toGroup({})
    for (const provider of ['fcm', 'apns', 'webpush']) {
      await store.query(sql`
        insert into delivery_batches (app_id, message_id, lane, stream, expires_at, installation_nos)
        values (${ctx.app.id}, ${id}, 'group', ${provider}, now() + interval '1 hour', '{1}')`)
      await store.query(sql`
        insert into provider_credentials (app_id, provider, sealed, shown, set_at, trouble_since, trouble_reason, paused_at, paused_reason)
        values (${ctx.app.id}, ${provider}, ${ctx.external.secretBox.seal('{}')}, '{}', now(),
          ${provider === 'apns' ? new Date(5_000) : null}, ${provider === 'apns' ? 'timed-out' : null},
          ${provider === 'fcm' ? new Date(7_000) : null}, ${provider === 'fcm' ? 'It answered 403.' : null})`)
    }
    const [group, test] = (await listMessageLines(ctx, {})).data
    expect(group?.progress.waitingFor).toEqual([
      { provider: 'apns', since: 5_000, reason: 'timed-out' },
      { provider: 'fcm', since: 7_000, reason: 'paused' },
    ])
    expect(test).toMatchObject({ isTest: true })
    expect(group).not.toHaveProperty('isTest')
  })

  it('counts what ended, and knows what is paused or stopped with all the rest', async () => {
    const { ctx, toGroup } = await setUp()
    const cancelled = await toGroup({})
    await cancelMessage(ctx, cancelled)
    const paused = await toGroup({})
    await pauseMessage(ctx, paused)
    const { data } = await listMessageLines(ctx, {})
    expect(data[1]).toMatchObject({
      id: cancelled.id,
      cancelledAt: expect.any(Number),
      states: { ended: 1, queued: 0 },
    })
    expect(data[0]).toMatchObject({ id: paused.id, progress: { paused: true, waiting: 1 } })
    const running = await toGroup({})
    await stopAllSending(ctx)
    const [line] = (await listMessageLines(ctx, {})).data
    expect(line).toMatchObject({ id: running.id, progress: { stopped: true, waiting: 1 } })
  })

  it('is found by id, trackId, clientId, user and words, and narrowed to groups or persons', async () => {
    const { toGroup, toUser, find } = await setUp()
    const spring = await toGroup({ trackId: 'spring', content: 'Blossoms EVERYWHERE' })
    const autumn = await toGroup({ trackId: 'autumn', notification: { title: '50% of leaves' } })
    const personal = await toUser({ trackId: 'spring', clientId: 'order-7', content: 'Blossoms for you' })
    expect(await find({ search: spring.id.toUpperCase() })).toEqual([spring.id])
    expect(await find({ search: 'spring' })).toEqual([personal.id, spring.id])
    expect(await find({ search: 'order-7' })).toEqual([personal.id])
    expect(await find({ search: ' sara ' })).toEqual([personal.id])
    expect(await find({ search: 'everywhere' })).toEqual([spring.id])
    expect(await find({ search: '50% of' })).toEqual([autumn.id])
    expect(await find({ search: '50_ of' })).toEqual([])
    expect(await find({ search: 'spring', kind: 'group' })).toEqual([spring.id])
    expect(await find({ kind: 'personal' })).toEqual([personal.id])
    expect(await find({ kind: 'group', limit: 1 })).toEqual([autumn.id])
    expect(await find({ trackId: 'spring' })).toEqual([personal.id, spring.id])
    expect(await find({ search: 'spring', cursor: personal.id })).toEqual([spring.id])
    expect(await find({ search: 'sara', cursor: personal.id })).toEqual([])
  })

  it('refuses a cursor that is none', async () => {
    const { find } = await setUp()
    await expect(find({ cursor: 'x' })).rejects.toMatchObject({ code: 'invalid-request' })
  })
})

describe('a message', () => {
  it('is described with its segment, its campaign, its users and its codes', async () => {
    const { ctx, toGroup, toUser } = await setUp()
    const segment = await createSegment(ctx, { name: 'Everybody new', segment: everybody })
    const saved = await toGroup({ target: segment.name, trackId: 'spring', content: 'Code {{ promoCode }}' })
    const byRules = await toGroup({ target: undefined, segment: everybody })
    const personal = await toUser({})
    const described = await describeMessage(ctx, saved)
    expect(checker(panelMessage.answer)(described).fault).toBeUndefined()
    expect(described).toMatchObject({
      segmentName: 'Everybody new',
      campaignName: 'spring',
      codes: { given: 0, isMore: false },
    })
    expect(await describeMessage(ctx, byRules)).toMatchObject({ segmentName: 'Everybody new' })
    expect(await describeMessage(ctx, personal)).toMatchObject({ user: 'sara', users: ['sara'] })
    expect(await describeMessage(ctx, personal)).not.toHaveProperty('codes')
    const other = await setUp()
    await expect(describeMessage(other.ctx, saved)).rejects.toMatchObject({ status: 404 })
  })

  it('says when devices opened it, each once', async () => {
    const { ctx, phone, toGroup } = await setUp()
    const { id } = await toGroup({})
    await addDeliveries(ctx, id, [phone])
    const at = ctx.now()
    await recordReceipts(ctx, {
      installationId: phone.id,
      receipts: [
        { messageId: id, kind: 'shown', actionId: '', happenedAt: at },
        { messageId: id, kind: 'opened', actionId: '', happenedAt: at },
        { messageId: id, kind: 'acted', actionId: 'a', happenedAt: at },
        { messageId: id, kind: 'acted', actionId: 'b', happenedAt: at },
      ],
    })
    const described = await describeMessage(ctx, { id })
    expect(checker(panelMessage.answer)(described).fault).toBeUndefined()
    const { opens, states } = described
    const sum = (bars: { opened: number; acted: number }[]) => ({
      opened: bars.reduce((total, bar) => total + bar.opened, 0),
      acted: bars.reduce((total, bar) => total + bar.acted, 0),
    })
    const { opened, acted } = states
    expect({ opened, acted }).toEqual({ opened: 1, acted: 0 })
    expect(sum(opens.hours)).toEqual({ opened, acted })
    expect(sum(opens.days)).toEqual({ opened, acted })
  })
})

describe('the usual open rate', () => {
  const DAY = 86_400_000
  const setUpPast = async () => {
    const { ctx } = await setUp()
    const at = (daysAgo: number) => new Date(ctx.now().getTime() - daysAgo * DAY)
    const past = async (daysAgo: number, delivered: number, opened: number, acted = 0, body = '{}') => {
      const id = await addMessageTo(ctx, 5_000, { at: at(daysAgo) })
      const each = { appId: ctx.app.id, messageId: id, at: at(daysAgo) }
      await changeCounters(store, [
        { ...each, state: 'delivered', count: delivered - opened - acted },
        { ...each, state: 'opened', count: opened },
        { ...each, state: 'acted', count: acted },
      ])
      await store.query(sql`update messages set body = ${body}::jsonb where app_id = ${ctx.app.id} and id = ${id}`)
      return id
    }
    const usualOf = async (id: string) => (await describeMessage(ctx, { id })).usual
    return { past, usualOf }
  }

  it('is the median of the messages to groups of the 30 days before', async () => {
    const { past, usualOf } = await setUpPast()
    const id = await past(0, 1_000, 500)
    await past(5, 1_000, 100)
    await past(6, 200, 20, 20)
    expect(await usualOf(id)).toBeUndefined()
    await past(7, 400, 12)
    expect(await usualOf(id)).toEqual({ openShare: 0.1, messages: 3 })
    await past(8, 1_000, 900)
    expect(await usualOf(id)).toEqual({ openShare: expect.closeTo(0.15), messages: 4 })
  })

  it('leaves out what says nothing: young, old or later messages, those to few and those without a notification', async () => {
    const { past, usualOf } = await setUpPast()
    const id = await past(2, 1_000, 500)
    for (const daysAgo of [3, 4, 5]) await past(daysAgo, 1_000, 100)
    const usual = { openShare: 0.1, messages: 3 }
    expect(await usualOf(id)).toEqual(usual)
    await past(1.5, 1_000, 900)
    await past(33, 1_000, 900)
    await past(6, 99, 90)
    for (const flag of ['silent', 'inApp', 'live']) await past(6, 1_000, 900, 0, JSON.stringify({ [flag]: true }))
    expect(await usualOf(id)).toEqual(usual)
    const newest = await past(0, 1_000, 0)
    await past(0.5, 1_000, 900)
    expect(await usualOf(newest)).toEqual({ openShare: 0.1, messages: 5 })
    const silent = await past(0, 1_000, 0, 0, '{"silent":true}')
    expect(await usualOf(silent)).toBeUndefined()
  })
})

describe('a live sample', () => {
  const nothing = { messages: false, events: false, alerts: false, checklist: false, others: [], messageIds: [] }

  it('has what is asked for and nothing else', async () => {
    const { ctx, toGroup } = await setUp()
    const { id } = await toGroup({})
    expect(await sampleLive(ctx, nothing)).toEqual({ messages: [], events: [], alerts: undefined, watched: [] })
    const unknown = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'
    const sample = await sampleLive(ctx, { ...nothing, messages: true, alerts: true, messageIds: [id, unknown] })
    expect(sample.messages.map((message) => message.id)).toEqual([id])
    expect(sample.alerts).toEqual([])
    expect(sample.watched).toMatchObject([{ id, states: { queued: 1 }, influenced: { events: 0 } }])
    const other = await setUp()
    expect(
      (await sampleLive(other.ctx, { ...nothing, messages: true, messageIds: [id], others: [id] })).messages,
    ).toEqual([])
  })

  it('counts a watched message again only when it has moved, or after a while', async () => {
    const { ctx, phone, toGroup } = await setUp()
    const { id } = await toGroup({})
    await addDeliveries(ctx, id, [phone])
    let now = ctx.now().getTime()
    const look = async (known?: ReadonlyMap<string, LiveData['message']>) => {
      const at = new Date(++now)
      const [counts] = (
        await sampleLive({ ...ctx, now: () => at }, { ...nothing, messageIds: [id], ...(known && { known }) })
      ).watched
      return counts as LiveData['message']
    }
    const knowing = (counts: LiveData['message']) => new Map([[id, counts]])
    const first = await look()
    const { id: _, ...counts } = first
    expect(checker(MessageCounts)(structuredClone(counts)).fault).toBeUndefined()
    expect(await look(knowing(first))).toEqual(first)
    await recordReceipts(ctx, {
      installationId: phone.id,
      receipts: [{ messageId: id, kind: 'opened', actionId: '', happenedAt: ctx.now() }],
    })
    const moved = await look(knowing(first))
    expect(moved.at).toBe(now)
    expect([moved.states.opened, moved.opens.days[0]?.opened]).toEqual([1, 1])
    now += 31_000
    expect((await look(knowing(moved))).at).toBe(now)
  })

  it('has messages under way that are not among the latest, and those that were a moment ago', async () => {
    const { ctx, toGroup, toUser } = await setUp()
    const under = await toGroup({})
    const over = await toGroup({})
    await store.query(sql`update messages set finished_at = now() where app_id = ${ctx.app.id} and id = ${over.id}`)
    for (let count = 0; count < 31; count++) await toUser({})
    const seen = async (others: string[]) => {
      const { messages } = await sampleLive(ctx, { ...nothing, messages: true, others })
      return [under.id, over.id].map((id) => messages.some((message) => message.id === id))
    }
    expect(await seen([])).toEqual([true, false])
    expect(await seen([over.id])).toEqual([true, true])
  })
})
