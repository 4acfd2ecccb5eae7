import { randomUUID } from 'node:crypto'
import type { BodyOf, panelSend } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { addInstallation, countRows } from '../../messages/installation-rows.test-support.ts'
import { listScheduled } from '../../messages/schedule/list-scheduled.ts'
import { startScheduled } from '../../messages/schedule/start-scheduled.ts'
import { pauseSeries } from '../../messages/series/pause-series.ts'
import { resumeSeries } from '../../messages/series/resume-series.ts'
import { skipNext } from '../../messages/series/skip-next.ts'
import { createTemplate } from '../../messages/templates/create-template.ts'
import { replaceTemplate } from '../../messages/templates/replace-template.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import { createSegment } from '../../segments/saved/create-segment.ts'
import { replaceSegment } from '../../segments/saved/replace-segment.ts'
import { describeMessage } from '../../statistics/message-lines/describe-message.ts'
import { editScheduled } from '../changes/edit-scheduled.ts'
import { editSeries } from '../changes/edit-series.ts'
import { moveScheduled } from '../changes/move-scheduled.ts'
import { sendDraft } from '../drafts/send-draft.ts'
import { planSend } from '../plan-send.ts'
import { approveSend } from './approve-send.ts'
import { getApproval } from './get-approval.ts'
import { listApprovals } from './list-approvals.ts'

const store = await createTestStore()
const HOUR = 3_600_000
const DAY = 24 * HOUR

type MemberContext = Context & { member: NonNullable<Context['member']> }
type Body = Partial<BodyOf<typeof panelSend>> & { templateId?: string }

const as = (ctx: Context, name: string, role = 'marketer'): MemberContext => ({
  ...ctx,
  member: { id: randomUUID(), email: `${name}@shop.example`, role },
})

/** An app where sends to more than two devices wait; three users have one device each. */
async function setUp() {
  const ctx = await createTestApp(store)
  for (const user of ['sara', 'omid', 'nima']) await addInstallation(ctx, user)
  await changeApp(ctx, { approvalAbove: 2 })
  const [sara, omid] = [as(ctx, 'sara'), as(ctx, 'omid', 'admin')]
  const ask = async (body: Body = {}) => {
    const receivers = body.users || body.segment ? {} : { target: {} }
    return sendDraft(sara, { product: 'message', content: 'Hello', confirmed: 3, ...receivers, ...body } as never)
  }
  const look = async (id: string) => (await getApproval(omid, { id })).now?.seen ?? ''
  const approve = async (id: string, who = omid) => approveSend(who, { id, confirmed: 3, seen: await look(id) })
  const scheduled = async () => (await listScheduled(ctx, {})).data
  const start = async (...ids: (string | undefined)[]) => {
    await store.query(sql`
      update scheduled_messages set available_at = peyk_now() where app_id = ${ctx.app.id} and id = any(${ids}::uuid[])`)
    while (await startScheduled(ctx));
  }
  return { ctx, sara, omid, ask, look, approve, scheduled, start, countMessages: () => countRows(ctx, 'messages') }
}

const isChanged = { code: 'changed-meanwhile', message: expect.stringContaining('changed since you looked') }
const nobody = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'tizen' }] } as never

describe('an approval covers what is sent', () => {
  it('and not what a template became after the look', async () => {
    const { ctx, omid, ask, look, approve, countMessages } = await setUp()
    const nice = { notification: { title: 'NICE', body: 'Come in', clickUrl: 'https://shop.example/nice' } }
    const { id: templateId } = await createTemplate(ctx, { name: 'Greeting', message: nice })
    const { id } = await ask({ templateId })
    const seen = await look(id)
    expect(await getApproval(omid, { id })).toMatchObject({ message: nice, now: { hasChanged: false } })
    expect((await listApprovals(omid)).data).toMatchObject([{ message: nice }])

    const evil = { notification: { title: 'EVIL', body: 'Go there', clickUrl: 'https://evil.example' } }
    await replaceTemplate(ctx, { id: templateId, name: 'Greeting', message: evil })
    await expect(approveSend(omid, { id, confirmed: 3, seen })).rejects.toMatchObject(isChanged)
    expect(await countMessages()).toBe(0)
    expect(await getApproval(omid, { id })).toMatchObject({
      ...{ state: 'waiting', message: evil, now: { hasChanged: true } },
    })
    const sent = await approve(id)
    expect(await describeMessage(omid, sent)).toMatchObject(evil)
    expect(await getApproval(omid, { id })).toMatchObject({ state: 'approved', message: evil })
  })

  it('in all languages and variants, and with the values that a template asks for', async () => {
    const { ctx, omid, ask, approve } = await setUp()
    const message = {
      content: 'Dear {{ values.who }}',
      contents: { fa: { notification: { title: 'سلام {{ values.who }}' } } },
      notification: { title: 'For {{ values.who }}' },
    }
    const { id: templateId } = await createTemplate(ctx, { name: 'Dear', message })
    const { id } = await ask({ templateId, values: { who: 'friends' } })
    const shown = {
      contents: { fa: { notification: { title: 'سلام friends' } } },
      notification: { title: 'For friends' },
    }
    expect((await getApproval(omid, { id })).message).toMatchObject({
      content: 'Hello',
      notification: shown.notification,
    })
    expect(await describeMessage(omid, await approve(id))).toMatchObject({ notification: shown.notification })
  })

  it.each<[string, (ctx: Context, segmentId: string) => Promise<unknown>]>([
    ['the rules of a saved segment', (ctx, id) => replaceSegment(ctx, { id, name: 'All', segment: anybody('ios') })],
    ['the text of the app where a message has none', (ctx) => changeApp(ctx, { defaultNotificationText: 'EVIL' })],
    ['the icon of the app', (ctx) => changeApp(ctx, { defaultIcon: 'https://evil.example/icon.png' })],
    ['the name of the app, which is the title', (ctx) => changeApp(ctx, { name: 'Evil shop' })],
    ['the zone of the app, for local times', (ctx) => changeApp(ctx, { zone: 'Asia/Tokyo' })],
  ])('and not what became of %s after the look', async (_, change) => {
    const { ctx, omid, ask, look, approve, countMessages } = await setUp()
    const { id: segmentId } = await createSegment(ctx, { name: 'All', segment: anybody('android', 'ios') })
    const { id } = await ask({ target: segmentId as never })
    const seen = await look(id)
    await change(ctx, segmentId)
    await expect(approveSend(omid, { id, confirmed: 3, seen })).rejects.toMatchObject(isChanged)
    expect(await getApproval(omid, { id })).toMatchObject({ now: { hasChanged: true } })
    expect(await countMessages()).toBe(0)
    await approve(id)
    expect(await countMessages()).toBe(1)
  })
})

it('a request that an earlier version kept is shown, compared by its rules, and approved', async () => {
  const { ctx, omid, ask, approve, countMessages } = await setUp()
  const { id: segmentId } = await createSegment(ctx, { name: 'All', segment: anybody('android', 'ios') })
  const { id } = await ask({ target: segmentId as never, sendAt: Date.now() + DAY })
  await store.query(sql`update send_approvals set sent = null, asked_as = null where app_id = ${ctx.app.id}`)
  expect((await listApprovals(omid)).data).toMatchObject([{ message: { content: 'Hello' } }])
  expect(await getApproval(omid, { id })).toMatchObject({ now: { hasChanged: false } })
  await replaceSegment(ctx, { id: segmentId, name: 'All', segment: anybody('ios') })
  expect(await getApproval(omid, { id })).toMatchObject({ now: { hasChanged: true } })
  await approve(id)
  expect(await countMessages()).toBe(0)
  expect(await getApproval(omid, { id })).toMatchObject({ state: 'approved', message: { content: 'Hello' } })
})

const anybody = (...value: string[]) => ({ all: [{ name: 'deviceType', operator: 'include', value }] }) as never

describe('needs an approval', () => {
  const sendAt = () => Date.now() + DAY
  it.each<[string, () => Body]>([
    ['a group at a later time', () => ({ segment: nobody, sendAt: sendAt() })],
    [
      'a group at local times',
      () => ({ segment: nobody, sendAt: { local: new Date(sendAt()).toISOString().slice(0, 16) } }),
    ],
    ['a series to a group', () => ({ segment: nobody, repeat: { rule: 'FREQ=DAILY' } })],
    [
      'a series to a group from later on',
      () => ({ segment: nobody, sendAt: sendAt(), repeat: { rule: 'FREQ=DAILY' } }),
    ],
    ['more named users than the number, at a later time', () => ({ users: ['u1', 'u2', 'u3'], sendAt: sendAt() })],
  ])('%s that has no device today', async (_, body) => {
    const { omid, sara, ask, countMessages, scheduled } = await setUp()
    expect(await ask({ ...body(), confirmed: 0 })).toMatchObject({ count: 0, approval: 'waiting' })
    const composed = { product: 'message', content: 'Hello', ...body() }
    expect(await planSend(sara, composed as never)).toMatchObject({ needsApproval: true })
    expect(await scheduled()).toEqual([])
    expect(await countMessages()).toBe(0)
    expect((await listApprovals(omid)).data).toHaveLength(1)
  })

  it.each<[string, () => Body]>([
    ['few named users at a later time', () => ({ users: ['sara', 'omid'], sendAt: sendAt() })],
    ['few named users again and again', () => ({ users: ['sara', 'omid'], repeat: { rule: 'FREQ=DAILY' } })],
    ['a small group now', () => ({ segment: nobody })],
  ])('but not %s', async (_, body) => {
    const { ask } = await setUp()
    expect(await ask({ ...body(), confirmed: 2 })).not.toHaveProperty('approval')
  })

  it('or is refused when devices are added between the count and the send', async () => {
    const { ctx, sara, countMessages } = await setUp()
    await changeApp(ctx, { approvalAbove: 3 })
    const adding = {
      ...store,
      transaction: async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
        const done = await store.transaction(work)
        await addInstallation(ctx, randomUUID())
        return done
      },
    }
    const body = { product: 'message', content: 'Hello', target: {}, confirmed: 3 } as const
    await expect(sendDraft({ ...sara, store: adding }, body)).rejects.toMatchObject({ code: 'audience-grew' })
    expect(await countMessages()).toBe(0)
  })
})

describe('another time for an approved message', () => {
  async function approved(body: Body = {}) {
    const context = await setUp()
    const sendAt = Date.now() + DAY
    const { id } = await context.approve((await context.ask({ sendAt, ...body })).id)
    return { ...context, id, sendAt }
  }

  it('is asked for again; the message keeps its time until then', async () => {
    const { sara, omid, id, sendAt, scheduled, look, approve } = await approved()
    const moved = await moveScheduled(sara, { id, sendAt: sendAt + HOUR })
    expect(moved).toMatchObject({ id, sendAt, approvalId: expect.any(String) })
    expect(await scheduled()).toMatchObject([{ id, sendAt }])
    const approvalId = moved.approvalId as string
    expect(await getApproval(omid, { id: approvalId })).toMatchObject({
      ...{ moves: id, movesFrom: { sendAt }, lapsesAt: sendAt, message: { content: 'Hello', sendAt: sendAt + HOUR } },
    })
    await expect(
      approveSend(sara, { id: approvalId, confirmed: 3, seen: await look(approvalId) }),
    ).rejects.toMatchObject({
      code: 'own-request',
    })
    await approve(approvalId)
    expect(await scheduled()).toMatchObject([{ id, sendAt: sendAt + HOUR, content: 'Hello' }])
    expect(await describeMessage(sara, { id })).toMatchObject({ approvedBy: omid.member.email })
  })

  it('is forgotten when it is moved back, and replaced when it is moved again', async () => {
    const { sara, omid, id, sendAt, scheduled } = await approved()
    await moveScheduled(sara, { id, sendAt: sendAt + HOUR })
    await moveScheduled(sara, { id, sendAt: sendAt + 2 * HOUR })
    const states = async () => (await listApprovals(omid)).data.map(({ state }) => state)
    expect((await states()).toSorted()).toEqual(['approved', 'waiting', 'withdrawn'])
    expect(await moveScheduled(sara, { id, sendAt })).not.toHaveProperty('approvalId')
    expect((await states()).toSorted()).toEqual(['approved', 'withdrawn', 'withdrawn'])
    expect(await scheduled()).toMatchObject([{ id, sendAt }])
  })

  it('is approved only as it was seen, and not after the message has started', async () => {
    const { ctx, sara, omid, id, sendAt, look, start, countMessages } = await approved()
    const { approvalId = '' } = await moveScheduled(sara, { id, sendAt: sendAt + HOUR })
    const seen = await look(approvalId)
    await editScheduled(ctx, { id, change: { content: 'Other' } })
    await expect(approveSend(omid, { id: approvalId, confirmed: 3, seen })).rejects.toMatchObject(isChanged)
    await start(id)
    expect(await countMessages()).toBe(1)
    expect(await getApproval(omid, { id: approvalId })).toMatchObject({ blocked: expect.stringContaining('started') })
  })

  it('is asked for when it is now, too: a group is looked up when the message starts', async () => {
    const { ctx, sara, id, scheduled, start, approve, countMessages } = await approved({ segment: nobody })
    const { approvalId = '' } = await moveScheduled(sara, { id, sendAt: Date.now() })
    await start()
    expect(await scheduled()).toMatchObject([{ id }])
    await addInstallation(ctx, 'late', { deviceType: 'tizen' })
    await approve(approvalId)
    while (await startScheduled(ctx));
    expect(await countMessages()).toBe(1)
    expect(await describeMessage(sara, { id })).toMatchObject({ approvedBy: expect.any(String), count: 1 })
  })

  it('needs none where one member may send alone', async () => {
    const { ctx, sara, id, sendAt, scheduled } = await approved()
    await changeApp(ctx, { approvalAbove: null })
    await moveScheduled(sara, { id, sendAt: sendAt + HOUR })
    expect(await scheduled()).toMatchObject([{ id, sendAt: sendAt + HOUR }])
    expect(await describeMessage(sara, { id })).not.toHaveProperty('approvedBy')
    await changeApp(ctx, { approvalAbove: 2 })
    const few = await sendDraft(sara, {
      product: 'message',
      content: 'x',
      users: ['sara'],
      sendAt,
      confirmed: 1,
    } as never)
    await moveScheduled(sara, { id: few.id, sendAt: sendAt + HOUR })
    expect((await scheduled()).find((each) => each.id === few.id)).toMatchObject({ sendAt: sendAt + HOUR })
  })

  it('is asked for with an occurrence of a series, too', async () => {
    const { sara, omid, scheduled, approve } = await approved({ repeat: { rule: 'FREQ=DAILY' } })
    const [first] = await scheduled()
    const { id = '', sendAt = 0 } = first ?? {}
    const { approvalId = '' } = await moveScheduled(sara, { id, sendAt: sendAt + HOUR })
    expect((await scheduled())[0]).toMatchObject({ id, sendAt })
    await approve(approvalId)
    expect((await scheduled())[0]).toMatchObject({ id, sendAt: sendAt + HOUR })
    expect(await describeMessage(sara, { id })).toMatchObject({ approvedBy: omid.member.email })
  })
})

describe('what starts', () => {
  const spoil = async (ctx: Context, id: string) =>
    store.query(sql`
      update scheduled_messages set sent = jsonb_set(sent, '{content}', '"EVIL"') where app_id = ${ctx.app.id} and id = ${id}`)

  it('is what was approved: a scheduled message that differs is cancelled', async () => {
    const { ctx, ask, approve, start, countMessages, scheduled } = await setUp()
    const sendAt = Date.now() + DAY
    const { id } = await approve((await ask({ sendAt })).id)
    const { id: other } = await approve((await ask({ sendAt })).id)
    await spoil(ctx, id)
    await start(id, other)
    expect(await countMessages()).toBe(1)
    expect(await describeMessage(ctx, { id: other })).toMatchObject({
      content: 'Hello',
      approvedBy: expect.any(String),
    })
    expect(await scheduled()).toEqual([])
  })

  it('is an approved series as before after a pause, a skipped occurrence and another zone of the app', async () => {
    const { ctx, ask, approve, start, countMessages, scheduled } = await setUp()
    const local = new Date(Date.now() + 30 * HOUR).toISOString().slice(0, 16)
    const { seriesId = '' } = await approve((await ask({ sendAt: { local }, repeat: { rule: 'FREQ=DAILY' } })).id)
    await pauseSeries(ctx, { id: seriesId })
    await resumeSeries(ctx, { id: seriesId })
    await skipNext(ctx, { id: seriesId })
    await changeApp(ctx, { zone: 'Asia/Tokyo' })
    for (let count = 1; count <= 7; count++) {
      await start((await scheduled())[0]?.id)
      expect(await countMessages()).toBe(count)
    }
  })

  it('is what was approved: so with occurrences of a series, those made later too', async () => {
    const { ctx, ask, approve, start, countMessages, scheduled } = await setUp()
    const sendAt = Date.now() + HOUR
    await approve((await ask({ sendAt, repeat: { rule: 'FREQ=DAILY' } })).id)
    const [first, second, third] = await scheduled()
    await start(first?.id)
    expect(await countMessages()).toBe(1)
    const ahead = await store.query<{ id: string; approved_as: string | null }>(sql`
      select id, approved_as from scheduled_messages where app_id = ${ctx.app.id} and cancelled_at is null`)
    expect(ahead).toHaveLength(5)
    for (const { approved_as } of ahead) expect(approved_as).toEqual(expect.any(String))
    await spoil(ctx, second?.id as string)
    await start(second?.id)
    expect(await countMessages()).toBe(1)
    await store.query(sql`update series set sent = '{"content": "EVIL"}' where app_id = ${ctx.app.id}`)
    await start(third?.id)
    expect(await countMessages()).toBe(1)
  })

  it('stays approved when a user whom it names is deleted', async () => {
    const { ctx, ask, approve, start, scheduled, countMessages } = await setUp()
    const users = ['sara', 'omid', 'nima']
    await approve((await ask({ users, sendAt: Date.now() + DAY })).id)
    await approve((await ask({ users, sendAt: Date.now() + HOUR, repeat: { rule: 'FREQ=DAILY;COUNT=7' } })).id)
    await deleteUser(ctx, { userId: 'nima' })
    const [first, second, third] = await scheduled()
    await start(first?.id)
    await start(second?.id)
    await start(third?.id)
    expect(await countMessages()).toBe(3)
  })

  it('goes without an approval after the back end has changed it, and names nobody who approved', async () => {
    const { ctx, ask, approve, start, countMessages, scheduled } = await setUp()
    const sendAt = Date.now() + DAY
    const { id } = await approve((await ask({ sendAt })).id)
    await editScheduled(ctx, { id, change: { content: 'Of the back end' } })
    expect(await describeMessage(ctx, { id })).not.toHaveProperty('approvedBy')
    const { seriesId = '' } = await approve((await ask({ sendAt, repeat: { rule: 'FREQ=DAILY' } })).id)
    const [, first, second] = await scheduled()
    await editScheduled(ctx, { id: first?.id as string, change: { content: 'Of the back end' } })
    expect(await describeMessage(ctx, { id: first?.id as string })).not.toHaveProperty('approvedBy')
    expect(await describeMessage(ctx, { id: second?.id as string })).toHaveProperty('approvedBy')
    await editSeries(ctx, { id: seriesId, change: { content: 'Of the back end, too' } })
    expect(await describeMessage(ctx, { id: second?.id as string })).not.toHaveProperty('approvedBy')
    for (const each of [id, first?.id, second?.id]) await start(each)
    expect(await countMessages()).toBe(3)
    expect(await describeMessage(ctx, { id })).toMatchObject({ content: 'Of the back end' })
    expect(await describeMessage(ctx, { id })).not.toHaveProperty('approvedBy')
  })
})
