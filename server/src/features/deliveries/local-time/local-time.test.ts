import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { findBroken } from '@peyk/test/invariants.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { explainMessage } from '../../explain/explain-message.ts'
import type { Accepted } from '../../messages/accept/draft-message.ts'
import { changeScheduled } from '../../messages/schedule/change-scheduled.ts'
import { notifyUsers } from '../../messages/send/notify-users.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import { cancelMessage } from '../control/cancel-message.ts'
import { pauseMessage } from '../control/pause-message.ts'
import { resumeMessage } from '../control/resume-message.ts'
import { wakeBatches } from '../control/wake-batches.ts'
import { finishMessages } from '../progress/finish-messages.ts'
import { getMessage } from '../read/get-message.ts'
import { readOverdue } from '../read/read-overdue.ts'
import { clockIn, HOUR, passHours, readWaiting, setZones, startAndCut } from './local-time.test-support.ts'
import { releaseDue } from './release-due.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()

/** Three users: of one the time has passed, the others are due in two and in five hours. */
async function setUp() {
  const ctx = await createApp()
  const [east] = await addDevices(ctx, providers, 'fcm', 1, 'east')
  const [here] = await addDevices(ctx, providers, 'apns', 1, 'here')
  const [west] = await addDevices(ctx, providers, 'fcm', 1, 'west')
  await setZones(ctx, { 'east-0': 'Etc/GMT-5', 'here-0': 'UTC', 'west-0': 'Etc/GMT+3' })
  const local = clockIn(2)
  const toAll = (sendAt: object = {}, rest: object = {}) =>
    sendByQuery(ctx, {
      ...{ target: {}, content: 'Hello', notification: { title: 'Hello' }, ttl: 3_600 },
      ...rest,
      sendAt: { local, ...sendAt },
    } as never) as Promise<Accepted>
  return { ctx, local, toAll, numbers: [east, here, west].map((each) => each?.installationNo as number) }
}

const handedOver = (id: string) => providers.record.list({ messageId: id }).length

async function expectNothingBroken(ctx: Context) {
  await finishMessages(ctx)
  expect(await findBroken(store)).toEqual([])
}

describe('a message with a local time', () => {
  it('waits, then starts once for all and waits for each user’s own time', async () => {
    const { ctx, local, toAll } = await setUp()
    const ahead = clockIn(48)
    const { id: later } = await toAll({ local: ahead, late: 'skip' })
    const first = Date.parse(`${ahead}Z`) - 14 * HOUR
    expect(await getMessage(ctx, { id: later })).toMatchObject({
      ...{ state: 'scheduled', sendAt: first, count: 3, expireAt: first + 26 * HOUR + HOUR },
      localTime: { local: ahead, late: 'skip', ttl: 3_600 },
    })
    const { id, count } = await toAll()
    expect(count).toBe(3)
    await startAndCut(ctx)
    expect(await readWaiting(ctx, id)).toEqual([
      { userIds: ['east-0'], inHours: 0, lives: 1, lane: 'later', stream: 'group/fcm' },
      { userIds: ['here-0'], inHours: 2, lives: 1, lane: 'later', stream: 'group/apns' },
      { userIds: ['west-0'], inHours: 5, lives: 1, lane: 'later', stream: 'group/fcm' },
    ])
    const hour = (hours: number) => Math.floor((Date.parse(`${local}Z`) + hours * HOUR) / HOUR) * HOUR
    const message = await getMessage(ctx, { id })
    expect(message).toMatchObject({
      ...{ state: 'scheduled', count: 3, localTime: { local, zone: 'UTC', late: 'now', ttl: 3_600 } },
      progress: { total: 3, settled: 0, waiting: 3 },
      expireAt: Date.parse(`${local}Z`) + 4 * HOUR,
    })
    expect(message.progress.waitingUntil?.slice(1)).toEqual([
      { at: hour(0), count: 1 },
      { at: hour(3), count: 1 },
    ])
    expect(await getMessage(ctx, { id: later })).toMatchObject({ state: 'scheduled' })
  })

  it('is released when it is due, and nobody gets it before', async () => {
    const { ctx, toAll } = await setUp()
    const { id } = await toAll()
    await startAndCut(ctx)
    const dispatcher = startDispatcher()
    await until(
      () => getMessage(ctx, { id }),
      ({ states }) => states.sent === 1,
    )
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'sending', progress: { settled: 1, waiting: 2 } })
    await passHours(ctx, 2)
    await until(
      () => getMessage(ctx, { id }),
      ({ states }) => states.sent === 2,
    )
    await passHours(ctx, 3)
    expect(
      await until(
        () => getMessage(ctx, { id }),
        ({ states }) => states.sent === 3,
      ),
    ).toMatchObject({ state: 'sent', progress: { waiting: 0 } })
    expect(handedOver(id)).toBe(3)
    await expectNothingBroken(ctx)
    await dispatcher.stop()
  })

  it('goes on the next day to those whose time has passed, or leaves them out with that reason', async () => {
    const { ctx, toAll } = await setUp()
    const next = await toAll({ late: 'nextDay' })
    const skip = await toAll({ late: 'skip' })
    await startAndCut(ctx)
    expect((await readWaiting(ctx, next.id)).map(({ userIds, inHours }) => [userIds[0], inHours])).toEqual([
      ...[
        ['here-0', 2],
        ['west-0', 5],
        ['east-0', 21],
      ],
    ])
    expect(await readWaiting(ctx, skip.id)).toHaveLength(2)
    const message = await getMessage(ctx, { id: skip.id })
    expect(message).toMatchObject({ state: 'scheduled', count: 3, progress: { settled: 1, waiting: 2 } })
    expect([message.states.ended, message.reasons.skipped]).toEqual([1, 1])
    const { installations } = await explainMessage(ctx, { id: skip.id, user: 'east-0' })
    expect(installations[0]).toMatchObject({ state: 'ended', reason: 'skipped' })
    expect(installations[0]?.story.at(-1)?.text).toBe(
      'It was left out. The local time of its user had passed when the message was sent.',
    )
    const waiting = await explainMessage(ctx, { id: skip.id, user: 'west-0' })
    expect(waiting.installations[0]?.story.at(-1)?.says).toMatchObject([{ code: 'local-time' }, { code: 'expires' }])
    await cancelMessage(ctx, { id: next.id })
    await cancelMessage(ctx, { id: skip.id })
    await expectNothingBroken(ctx)
  })

  it('counts those who are left out of a message to many, too', async () => {
    const { ctx, toAll } = await setUp()
    const many = await addDevices(ctx, providers, 'fcm', 30, 'many')
    await setZones(ctx, Object.fromEntries(many.map(({ userId }) => [userId, 'Etc/GMT-5'])))
    const { id } = await toAll({ late: 'skip' })
    await startAndCut(ctx)
    expect((await getMessage(ctx, { id })).reasons).toMatchObject({ skipped: 31 })
    await cancelMessage(ctx, { id })
    await expectNothingBroken(ctx)
  })

  it('takes the zone of the installation that was seen last, of those that say one', async () => {
    const { ctx, toAll } = await setUp()
    await setZones(ctx, { 'east-0': 'Mars/Olympus', 'here-0': null })
    await addDevices(ctx, providers, 'fcm', 1, 'east')
    await store.query(sql`
      update installations set launched_at = launched_at - interval '1 day', time_zone = 'Etc/GMT+3'
      where app_id = ${ctx.app.id} and installation_no = (select max(installation_no) from installations where app_id = ${ctx.app.id})`)
    const zoned = await toAll({ zone: 'Etc/GMT+1' })
    await changeApp(ctx, { zone: 'Etc/GMT+2' })
    const ofApp = await toAll()
    await startAndCut(ctx)
    const hours = async (id: string) =>
      (await readWaiting(ctx, id)).map(({ userIds, inHours }) => [inHours, ...userIds])
    expect(await hours(zoned.id)).toEqual([
      [3, 'here-0'],
      [5, 'east-0', 'east-0', 'west-0'],
    ])
    expect(await hours(ofApp.id)).toEqual([
      [4, 'here-0'],
      [5, 'east-0', 'east-0', 'west-0'],
    ])
    expect(await getMessage(ctx, { id: ofApp.id })).toMatchObject({ localTime: { zone: 'Etc/GMT+2' } })
  })

  it('is not woken, hurried or shown as stuck by anything that other batches are', async () => {
    const { ctx, toAll } = await setUp()
    const { id } = await toAll({ late: 'skip' })
    await startAndCut(ctx)
    const before = await readWaiting(ctx, id)
    for (const provider of ['fcm', 'apns'] as const) expect(await wakeBatches(ctx, { provider })).toBe(0)
    expect(await pauseMessage(ctx, { id })).toEqual({ id, paused: true, waiting: 2, inFlight: 0 })
    expect(await getMessage(ctx, { id })).toMatchObject({
      state: 'paused',
      progress: { waitingUntil: expect.any(Array) },
    })
    expect(await releaseDue(store)).toBe(false)
    await resumeMessage(ctx, { id })
    expect(await releaseDue(store)).toBe(false)
    expect(await readWaiting(ctx, id)).toEqual(before)
    expect((await readOverdue({ store })).every(({ seconds }) => seconds < 60)).toBe(true)
  })

  it('that is paused over its time goes when it is resumed, unless it has ended for its users', async () => {
    const { ctx, toAll } = await setUp()
    const { id } = await toAll({ late: 'skip' })
    await startAndCut(ctx)
    await pauseMessage(ctx, { id })
    await passHours(ctx, 5.5)
    await resumeMessage(ctx, { id })
    const dispatcher = startDispatcher()
    const { states, reasons } = await until(
      () => getMessage(ctx, { id }),
      ({ progress }) => progress.waiting === 0,
    )
    expect([states.sent, reasons.expired, reasons.skipped]).toEqual([1, 1, 1])
    expect(handedOver(id)).toBe(1)
    await expectNothingBroken(ctx)
    await dispatcher.stop()
  })

  it('is cancelled as far as it has not gone', async () => {
    const { ctx, toAll } = await setUp()
    const { id } = await toAll()
    const dispatcher = startDispatcher()
    await startAndCut(ctx)
    await until(
      () => getMessage(ctx, { id }),
      ({ states }) => states.sent === 1,
    )
    await expect(changeScheduled(ctx, { id, change: { content: 'x' } })).rejects.toMatchObject({
      code: 'already-started',
    })
    expect(await cancelMessage(ctx, { id })).toEqual({ id, count: 2, inFlight: 0, handedOver: 1 })
    await passHours(ctx, 6)
    expect(await releaseDue(store)).toBe(false)
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'cancelled', reasons: { cancelled: 2 } })
    await expectNothingBroken(ctx)
    await dispatcher.stop()
  })

  it('forgets a user who is deleted while it waits', async () => {
    const { ctx, toAll } = await setUp()
    const { id } = await toAll({ late: 'skip' })
    const { id: own } = (await sendToUsers(ctx, {
      ...{ users: ['here-0', 'west-0'], content: 'Hello', sendAt: { local: clockIn(2) } },
    })) as Accepted
    await startAndCut(ctx)
    await deleteUser(ctx, { userId: 'here-0' })
    expect((await readWaiting(ctx, id)).map(({ userIds }) => userIds)).toEqual([[], ['west-0']])
    expect((await readWaiting(ctx, own)).map(({ userIds }) => userIds)).toEqual([[], ['west-0']])
    expect((await getMessage(ctx, { id })).reasons).toMatchObject({ gone: 1 })
    await deleteUser(ctx, { userId: 'west-0' })
    expect(await store.query(sql`select from message_ends where message_id = ${own}`)).toEqual([])
  })

  it.each([
    [{ local: '2026-12-01T09:00Z' }, '"sendAt.local": expected a local time without an offset'],
    [{ local: clockIn(-40) }, 'was more than an hour ago everywhere'],
    [{ zone: 'Mars/Olympus' }, '"sendAt.zone": expected a time zone'],
    [{ late: 'never' }, '"sendAt.late": expected one of "now", "nextDay", "skip"'],
  ])('%j is refused', async (sendAt, why) => {
    const { toAll } = await setUp()
    await expect(toAll(sendAt)).rejects.toThrow(why)
  })

  it('cannot be live: who has the app open is asked once', async () => {
    const { ctx, toAll } = await setUp()
    await expect(toAll({}, { live: true })).rejects.toThrow('"live": a live message goes to')
    const { id } = await toAll({ local: clockIn(48) })
    await expect(changeScheduled(ctx, { id, change: { live: true } })).rejects.toThrow('"live"')
    expect(await changeScheduled(ctx, { id, change: { content: 'other' } })).toMatchObject({
      ...{ content: 'other', localTime: { late: 'now' } },
    })
    const moved = await changeScheduled(ctx, { id, change: { sendAt: Date.now() + HOUR } })
    expect(moved).not.toHaveProperty('localTime')
    expect(await changeScheduled(ctx, { id, change: { sendAt: { local: clockIn(72), late: 'skip' } } })).toMatchObject({
      localTime: { late: 'skip' },
    })
  })
})

describe('a message with a local time to named users', () => {
  it('waits for each of them, out of the way of later messages', async () => {
    const { ctx, local } = await setUp()
    const { id, count } = (await notifyUsers(ctx, {
      ...{ users: ['here-0', 'west-0'], notification: { title: 'Hello' }, sendAt: { local } },
    })) as Accepted
    expect(count).toBe(2)
    await startAndCut(ctx)
    expect(await readWaiting(ctx, id)).toEqual([
      { userIds: ['here-0'], inHours: 2, lives: 672, lane: 'later', stream: 'personal/mixed' },
      { userIds: ['west-0'], inHours: 5, lives: 672, lane: 'later', stream: 'personal/mixed' },
    ])
    await passHours(ctx, 3)
    expect(await releaseDue(store)).toBe(true)
    expect((await readWaiting(ctx, id)).map(({ lane, stream }) => `${lane} ${stream}`)).toEqual([
      'personal mixed',
      'later personal/mixed',
    ])
    await cancelMessage(ctx, { id })
  })

  it('is taken in an array, with the number of one that is not right', async () => {
    const { ctx, local } = await setUp()
    const answers = (await sendToUsers(ctx, [
      { user: 'here-0', content: 'now' },
      { user: 'west-0', content: 'later', sendAt: { local } },
    ])) as Accepted[]
    expect(answers.map(({ count }) => count)).toEqual([1, 1])
    await expect(
      sendToUsers(ctx, [
        { user: 'here-0', content: 'now' },
        { user: 'west-0', content: 'later', sendAt: { local: 'soon' } },
      ]),
    ).rejects.toMatchObject({ message: expect.stringContaining('Element 1: "sendAt.local"') })
    for (const { id } of answers) await cancelMessage(ctx, { id })
  })
})
