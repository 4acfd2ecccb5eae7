import { randomUUID } from 'node:crypto'
import type { BodyOf, panelSend } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { getOwnApp } from '../../accounts/apps/get-own-app.ts'
import { createCategory } from '../../categories/create-category.ts'
import { deleteCategory } from '../../categories/delete-category.ts'
import { addInstallation, countRows } from '../../messages/installation-rows.test-support.ts'
import { listScheduled } from '../../messages/schedule/list-scheduled.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { listSeries } from '../../messages/series/list-series.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import { readExport } from '../../privacy/export.test-support.ts'
import { createSegment } from '../../segments/saved/create-segment.ts'
import { replaceSegment } from '../../segments/saved/replace-segment.ts'
import { describeMessage } from '../../statistics/message-lines/describe-message.ts'
import { listWarnings } from '../../statistics/overview/list-warnings.ts'
import { sendDraft } from '../drafts/send-draft.ts'
import { approveSend } from './approve-send.ts'
import { declineSend } from './decline-send.ts'
import { forgetOldApprovals } from './forget-old-approvals.ts'
import { getApproval } from './get-approval.ts'
import { listApprovals } from './list-approvals.ts'

const store = await createTestStore()
const HOUR = 3_600_000
const DAY = 24 * HOUR

type MemberContext = Context & { member: NonNullable<Context['member']> }

const as = (ctx: Context, name: string, role = 'marketer'): MemberContext => ({
  ...ctx,
  member: { id: randomUUID(), email: `${name}@shop.example`, role },
})
const later = <C extends Context>(ctx: C, ms: number): C => ({ ...ctx, now: () => new Date(Date.now() + ms) })

/** An app where sends to more than two devices wait; three users have one each. */
async function setUp() {
  const ctx = await createTestApp(store)
  for (const user of ['sara', 'omid', 'nima']) await addInstallation(ctx, user)
  await changeApp(ctx, { approvalAbove: 2 })
  const [sara, omid, lena] = [as(ctx, 'sara'), as(ctx, 'omid', 'admin'), as(ctx, 'lena')]
  const ask = async (body: Partial<BodyOf<typeof panelSend>> = {}) => {
    const receivers = body.users ? {} : { target: {} }
    return sendDraft(sara, { product: 'message', content: 'Hello', confirmed: 3, ...receivers, ...body } as never)
  }
  const approve = async (who: MemberContext, id: string, confirmed = 3) => {
    const { now } = await getApproval(who, { id })
    return approveSend(who, { id, confirmed, seen: now?.seen ?? '' })
  }
  return { ctx, sara, omid, lena, ask, approve, countMessages: () => countRows(ctx, 'messages') }
}

describe('a send from the panel to more devices than one member may send to alone', () => {
  it('waits until another member approves it, and is sent once', async () => {
    const { ctx, sara, omid, ask, approve, countMessages } = await setUp()
    const asked = await ask({ trackId: 'spring' })
    expect(asked).toEqual({ id: expect.any(String), count: 3, approval: 'waiting' })
    expect(await countMessages()).toBe(0)
    const [waiting] = (await listApprovals(omid)).data
    expect(waiting).toMatchObject({ id: asked.id, state: 'waiting', askedBy: sara.member.email, isOwn: false })
    expect(waiting).toMatchObject({ message: { content: 'Hello', trackId: 'spring', audience: 'query', target: {} } })

    const sent = await approve(omid, asked.id)
    expect(sent).toMatchObject({ id: expect.any(String), count: 3 })
    expect(await countMessages()).toBe(1)
    expect(await getApproval(sara, { id: asked.id })).toMatchObject({
      ...{ state: 'approved', decidedBy: omid.member.email, messageId: sent.id, isOwn: true },
    })
    const approved = { approvedBy: omid.member.email, approvedAt: expect.any(Number) }
    expect(await describeMessage(sara, sent)).toMatchObject(approved)
    await expect(approveSend(omid, { id: asked.id, confirmed: 3, seen: '' })).rejects.toMatchObject({
      code: 'already-decided',
    })
    expect((await getOwnApp(ctx)).approvalAbove).toBe(2)
  })

  it('is sent once when two approve it at the same time', async () => {
    const { omid, lena, ask, countMessages } = await setUp()
    const { id } = await ask()
    const seen = (await getApproval(omid, { id })).now?.seen ?? ''
    const answers = await Promise.allSettled(
      [omid, lena, omid, lena].map((who) => approveSend(who, { id, confirmed: 3, seen })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'already-decided' })
    expect(await countMessages()).toBe(1)
  })

  it('is not approved by who asked, whatever the role', async () => {
    const { ctx, ask, countMessages } = await setUp()
    const owner = as(ctx, 'owner', 'admin')
    const body = { product: 'message', content: 'Hello', confirmed: 3, target: {} } as const
    const { id } = await sendDraft(owner, body)
    await expect(approveSend(owner, { id, confirmed: 3, seen: '' })).rejects.toMatchObject({ code: 'own-request' })
    const support = as(ctx, 'support', 'support')
    const other = await ask()
    const { now } = await getApproval(support, { id: other.id })
    await expect(approveSend(support, { id: other.id, confirmed: 3, seen: now?.seen ?? '' })).rejects.toMatchObject({
      code: 'wrong-role',
    })
    await expect(declineSend(support, { id: other.id, reason: 'No.' })).rejects.toMatchObject({ code: 'wrong-role' })
    expect(await countMessages()).toBe(0)
  })

  it('is declined with a reason, or taken back by who asked', async () => {
    const { sara, omid, ask, approve, countMessages } = await setUp()
    const { id } = await ask()
    await expect(declineSend(omid, { id, reason: ' ' })).rejects.toMatchObject({
      code: 'invalid-request',
      details: { field: 'reason' },
    })
    await declineSend(omid, { id, reason: 'The price is wrong.' })
    expect(await getApproval(sara, { id })).toMatchObject({ state: 'declined', reason: 'The price is wrong.' })
    const second = await ask()
    await declineSend(sara, { id: second.id })
    expect(await getApproval(omid, { id: second.id })).toMatchObject({ state: 'withdrawn' })
    await expect(approve(omid, second.id)).rejects.toMatchObject({ code: 'already-decided' })
    expect(await countMessages()).toBe(0)
  })

  it('lapses after seven days, and when its time has come', async () => {
    const { omid, ask } = await setUp()
    const [now, tomorrow] = [await ask(), await ask({ sendAt: Date.now() + DAY })]
    expect(await getApproval(omid, { id: now.id })).toMatchObject({ lapsesByTime: false })
    expect(await getApproval(omid, { id: tomorrow.id })).toMatchObject({ lapsesByTime: true })
    const in25Hours = later(omid, 25 * HOUR)
    expect(await getApproval(in25Hours, { id: tomorrow.id })).toMatchObject({ state: 'lapsed' })
    expect((await listApprovals(in25Hours)).data.map(({ id, state }) => [id, state])).toEqual([
      [now.id, 'waiting'],
      [tomorrow.id, 'lapsed'],
    ])
    await expect(approveSend(later(omid, 8 * DAY), { id: now.id, confirmed: 3, seen: '' })).rejects.toMatchObject({
      code: 'already-decided',
      message: expect.stringContaining('lapsed'),
    })
    await store.query(sql`update send_approvals set asked_at = asked_at - interval '91 days' where id = ${now.id}`)
    await forgetOldApprovals({ store })
    expect((await listApprovals(omid)).data).toHaveLength(1)
  })

  it('is scheduled, or made a series, in the name of who asked', async () => {
    const { ctx, sara, omid, ask, approve } = await setUp()
    const sendAt = Date.now() + DAY
    const { id: messageId } = await approve(omid, (await ask({ sendAt })).id)
    expect((await listScheduled(ctx, {})).data).toMatchObject([{ id: messageId, sendAt }])
    const [row] = await store.query<{ by: string }>(
      sql`select created_by as by from scheduled_messages where id = ${messageId}`,
    )
    expect(row).toEqual({ by: sara.member.email })
    const repeated = await ask({ sendAt, repeat: { rule: 'FREQ=DAILY' } })
    expect(await getApproval(omid, { id: repeated.id })).toMatchObject({
      repeat: { rule: 'FREQ=DAILY' },
      message: { sendAt },
    })
    const { seriesId } = await approve(omid, repeated.id)
    expect((await listSeries(omid, {})).data).toMatchObject([{ id: seriesId, createdBy: sara.member.email }])
    const occurrence = (await listScheduled(ctx, {})).data.findLast((each) => each.seriesId === seriesId)
    for (const id of [messageId, occurrence?.id as string]) {
      expect(await describeMessage(sara, { id })).toMatchObject({ approvedBy: omid.member.email })
    }
    await store.query(sql`
      update send_approvals set asked_at = asked_at - interval '91 days' where app_id = ${ctx.app.id}`)
    await forgetOldApprovals({ store })
    expect(await describeMessage(sara, { id: messageId })).toHaveProperty('approvedBy')
    const local = new Date(Date.now() + 3 * DAY).toISOString().slice(0, 16)
    const atLocal = await ask({ sendAt: { local } })
    expect(await getApproval(omid, { id: atLocal.id })).toMatchObject({ message: { localTime: { local } } })
  })

  it('is counted anew: who approves is told that it grew, and that the segment is another', async () => {
    const { ctx, omid, ask } = await setUp()
    const rules = (platform: string) => ({ all: [{ name: 'deviceType', operator: 'include', value: [platform] }] })
    const segment = await createSegment(ctx, { name: 'Phones', segment: rules('android') as never })
    const { id } = await ask({ target: segment.id as never })
    const before = await getApproval(omid, { id })
    expect(before.now).toMatchObject({ count: 3, hasGrown: false, hasChanged: false })
    for (let index = 0; index < 60; index++) await addInstallation(ctx, `u${index}`)
    expect((await getApproval(omid, { id })).now).toMatchObject({ count: 63, hasGrown: true })
    const seen = before.now?.seen ?? ''
    await expect(approveSend(omid, { id, confirmed: 3, seen })).rejects.toMatchObject({ code: 'audience-grew' })

    await replaceSegment(ctx, { id: segment.id, name: 'Phones', segment: rules('ios') as never })
    expect((await getApproval(omid, { id })).now).toMatchObject({ hasChanged: true })
    await expect(approveSend(omid, { id, confirmed: 63, seen })).rejects.toMatchObject({ code: 'changed-meanwhile' })
  })

  it('says why it cannot be sent any more', async () => {
    const { ctx, omid, ask } = await setUp()
    await createCategory(ctx, { id: 'news', name: { en: 'News' } })
    await createCategory(ctx, { id: 'offers', name: { en: 'Offers' } })
    const { id } = await ask({ category: 'news' })
    await deleteCategory(ctx, { id: 'news' })
    expect(await getApproval(omid, { id })).toMatchObject({
      state: 'waiting',
      blocked: expect.stringContaining('news'),
    })
  })
})

it('sends without approval: below the number, without the setting, and by access tokens', async () => {
  const { ctx, ask, countMessages } = await setUp()
  expect(await ask({ users: ['sara', 'omid'] })).not.toHaveProperty('approval')
  await sendByQuery(ctx, { target: {}, content: 'Hello' })
  await changeApp(ctx, { approvalAbove: null })
  expect(await ask()).not.toHaveProperty('approval')
  expect(await countMessages()).toBe(3)
  expect(await getOwnApp(ctx)).not.toHaveProperty('approvalAbove')
})

it('refuses at once what a send would refuse', async () => {
  const { omid, ask } = await setUp()
  await expect(ask({ content: '{{ user. }' })).rejects.toMatchObject({ code: 'invalid-template' })
  await expect(ask({ repeat: { rule: 'FREQ=NEVER' } })).rejects.toMatchObject({ code: 'invalid-request' })
  await expect(ask({ confirmed: 0 })).resolves.toMatchObject({ approval: 'waiting' })
  expect((await listApprovals(omid)).data).toHaveLength(1)
})

it('tells the members who can approve, on their overview', async () => {
  const { ctx, sara, omid, ask } = await setUp()
  await ask()
  expect(await listWarnings(omid)).toEqual([{ kind: 'approvals', count: 1 }])
  expect(await listWarnings(sara)).toEqual([])
  expect(await listWarnings(as(ctx, 'analyst', 'analyst'))).toEqual([])
})

it('has the users that it names in their exports, and forgets those who are deleted', async () => {
  const { ctx, omid, ask, approve } = await setUp()
  const toAll = await ask({ users: ['sara', 'omid', 'nima', 'nobody'] })
  await changeApp(ctx, { approvalAbove: 0 })
  const toSara = await ask({ users: ['sara'] })
  expect(JSON.stringify(await readExport(ctx, { userId: 'sara' }))).toContain(toSara.id)
  await deleteUser(ctx, { userId: 'sara' })
  await deleteUser(ctx, { userId: 'nobody' })
  expect((await listApprovals(omid)).data.map(({ id }) => id)).toEqual([toAll.id])
  const rows = await store.query(sql`select composed, user_ids from send_approvals where app_id = ${ctx.app.id}`)
  expect(rows).toMatchObject([{ user_ids: ['omid', 'nima'] }])
  expect(JSON.stringify(rows)).not.toContain('sara')
  expect(await approve(omid, toAll.id)).toMatchObject({ count: 2 })
})
