import { silentLog } from '@peyk/test/database/test-store.ts'
import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import type { Accepted } from '../../messages/accept/draft-message.ts'
import { PendingTexts } from '../../messages/rendering/pending-texts.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { pauseMessage } from '../control/pause-message.ts'
import { resumeMessage } from '../control/resume-message.ts'
import { listDue } from '../fallback/claim-store.ts'
import { readInbox } from '../inbox/read-inbox.ts'
import { expireDeliveries } from '../progress/expire-deliveries.ts'
import { getMessage } from '../read/get-message.ts'
import { clockIn, HOUR, passHours, setZones, startAndCut } from './local-time.test-support.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()

/** Two users without a provider, due now and in three hours: the message waits in their inboxes. */
async function setUp() {
  const ctx = await createApp()
  const devices = await addDevices(ctx, providers, 'fcm', 2, 'user')
  await store.query(sql`
    update installation_details set device_token = null, device_token_hash = null where app_id = ${ctx.app.id}`)
  await setZones(ctx, { 'user-0': 'Etc/GMT-2', 'user-1': 'Etc/GMT+1' })
  return { ctx, local: clockIn(2), numbers: devices.map(({ installationNo }) => installationNo) }
}

async function readIds(ctx: Context, installationNo: number, userId: string) {
  const ask = {
    ...{ appId: ctx.app.id, installationNo, userId, without: [], clearing: [], limit: 10, isOpen: true },
    connectedAt: new Date(Date.now() - 60_000),
  }
  const { messages } = await readInbox(ctx, [ask], { texts: new PendingTexts(silentLog), onReady: () => undefined })
  return messages.map(({ messageId, secondsLeft, body }) => {
    return { messageId, hoursLeft: Math.round(secondsLeft / 360) / 10, expireAt: JSON.parse(String(body)).expireAt }
  })
}

describe('what waits in an inbox', () => {
  it('is there from each user’s own time, and until its own end', async () => {
    const { ctx, local, numbers } = await setUp()
    const [first, second] = numbers as [number, number]
    const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello', ttl: 7_200, sendAt: { local } })
    await startAndCut(ctx)
    const dispatcher = startDispatcher()
    const inInbox = (count: number) =>
      until(
        () => getMessage(ctx, { id }),
        ({ progress }) => progress.inInbox === count,
      )
    await inInbox(1)
    const startedAt = (await getMessage(ctx, { id })).sendAt as number
    expect(await readIds(ctx, first, 'user-0')).toEqual([
      { messageId: id, hoursLeft: 2, expireAt: startedAt + 2 * HOUR },
    ])
    expect(await readIds(ctx, second, 'user-1')).toEqual([])
    await passHours(ctx, 3)
    await inInbox(2)
    expect(await readIds(ctx, first, 'user-0')).toEqual([])
    expect(await readIds(ctx, second, 'user-1')).toMatchObject([{ messageId: id, hoursLeft: 2 }])
    await expireDeliveries(ctx)
    expect((await getMessage(ctx, { id })).reasons).toMatchObject({ expired: 1 })
    expect(await readIds(ctx, second, 'user-1')).toHaveLength(1)
    await passHours(ctx, 4)
    await expireDeliveries(ctx)
    expect((await getMessage(ctx, { id })).reasons).toMatchObject({ expired: 2 })
    expect(await store.query(sql`select from message_ends where message_id = ${id}`)).toEqual([])
    await dispatcher.stop()
  })

  it('is not held up by what waits for a local time', async () => {
    const { ctx, local, numbers } = await setUp()
    const { id } = (await sendToUsers(ctx, { user: 'user-1', content: 'Later', sendAt: { local } })) as Accepted
    await startAndCut(ctx)
    const dispatcher = startDispatcher()
    const now = (await sendToUsers(ctx, { user: 'user-1', content: 'Now' })) as Accepted
    await until(
      () => getMessage(ctx, { id: now.id }),
      ({ progress }) => progress.inInbox === 1,
    )
    expect((await readIds(ctx, numbers[1] as number, 'user-1')).map(({ messageId }) => messageId)).toEqual([now.id])
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'scheduled' })
    await dispatcher.stop()
  })

  it('ends while it is paused, for each user at its own end', async () => {
    const { ctx, local } = await setUp()
    const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello', ttl: 3_600, sendAt: { local } })
    await startAndCut(ctx)
    await pauseMessage(ctx, { id })
    await passHours(ctx, 2)
    await expireDeliveries(ctx)
    const dispatcher = startDispatcher()
    const message = await until(
      () => getMessage(ctx, { id }),
      ({ reasons }) => reasons.expired === 1,
    )
    expect(message).toMatchObject({ state: 'paused', progress: { waiting: 1 } })
    await dispatcher.stop()
  })
})

describe('the SMS of a message with a local time', () => {
  const sms = { content: 'SMS', delay: 600 }

  async function readSms(id: string) {
    const rows = await store.query<{ user_id: string; state: string; minutes: number; ends: number | null }>(sql`
      select user_id, state, round(extract(epoch from due_at - peyk_now()) / 60)::int as minutes,
        round(extract(epoch from expires_at - peyk_now()) / 60)::int as ends
      from sms_fallbacks where message_id = ${id} order by user_id`)
    return rows.map(({ user_id, state, minutes, ends }) => [user_id, state, minutes, ends])
  }

  async function send(ctx: Context, users: string[], sendAt: { local: string; late?: 'skip' }) {
    return (await sendToUsers(ctx, { users, content: 'Hello', ttl: 3_600, fallback: sms, sendAt })) as Accepted
  }

  it('waits for the user’s own time and its delay, also where there is no device, and ends with it', async () => {
    const { ctx, local } = await setUp()
    const { id } = await send(ctx, ['user-0', 'user-1', 'nobody'], { local })
    await startAndCut(ctx)
    expect(await readSms(id)).toEqual([
      ['nobody', 'waiting', 130, 180],
      ['user-0', 'waiting', 10, 60],
      ['user-1', 'waiting', 190, 240],
    ])
    await passHours(ctx, 2)
    const due = await listDue(store, { perApp: 10, inFlight: new Map() }, new Date())
    const own = due.filter(({ messageId }) => messageId === id)
    expect(own.map(({ userId, isExpired }) => [userId, isExpired])).toEqual([['user-0', true]])
  })

  it('waits where nobody has a device, and is not sent to whom is left out', async () => {
    const { ctx, local } = await setUp()
    const alone = await send(ctx, ['nobody'], { local })
    const skipped = await send(ctx, ['user-0', 'user-1'], { local, late: 'skip' })
    await startAndCut(ctx)
    expect(await readSms(alone.id)).toEqual([['nobody', 'waiting', 130, 180]])
    expect(await readSms(skipped.id)).toEqual([
      ['user-0', 'cancelled', expect.any(Number), null],
      ['user-1', 'waiting', 190, 240],
    ])
    expect((await getMessage(ctx, { id: skipped.id })).reasons).toMatchObject({ skipped: 1 })
  })

  it('is not later by a pause that was over before its time', async () => {
    const { ctx, local } = await setUp()
    const { id } = await send(ctx, ['user-1'], { local })
    await startAndCut(ctx)
    await pauseMessage(ctx, { id })
    await store.query(sql`update messages set paused_at = paused_at - interval '1 hour' where id = ${id}`)
    await resumeMessage(ctx, { id })
    expect(await readSms(id)).toEqual([['user-1', 'waiting', 190, 240]])
    await pauseMessage(ctx, { id })
    await passHours(ctx, 3.1)
    await resumeMessage(ctx, { id })
    const [[, , minutes] = []] = await readSms(id)
    expect(minutes).toBe(10)
  })
})
