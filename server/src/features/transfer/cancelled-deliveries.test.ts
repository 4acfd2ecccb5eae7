import { silentLog } from '@peyk/test/database/test-store.ts'
import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import { findBroken } from '@peyk/test/invariants.ts'
import { recall } from '@peyk/test/recall.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { OutwardContext } from '#base/context.ts'
import { cancelMessage } from '../deliveries/control/cancel-message.ts'
import { pauseMessage } from '../deliveries/control/pause-message.ts'
import { recordCancelled } from '../deliveries/control/record-cancelled.ts'
import { settleCancelled } from '../deliveries/control/settle-cancelled.ts'
import { sweepAudiences } from '../deliveries/dispatch/sweep-audiences.ts'
import { getMessage } from '../deliveries/read/get-message.ts'
import { listDeliveries } from '../deliveries/read/list-deliveries.ts'
import { startScheduled } from '../messages/schedule/start-scheduled.ts'
import { sendByQuery } from '../messages/send/send-by-query.ts'
import { sendToUsers } from '../messages/send/send-to-users.ts'
import { deleteUser } from '../privacy/delete-user.ts'
import { exportDeliveries } from './exports/export-deliveries.ts'
import { openStream } from './stream/open-stream.ts'

const { providers, store, external, createApp, startDispatcher } = await createDelivery()
const services = { store, log: silentLog, now: () => new Date(), external }
const stream = { durations: { heartbeatMs: 60_000, streamLagMs: 0 }, isStillAllowed: async () => true }
const hello = { content: 'Hello', notification: { title: 'Hello' } }

let ctx: OutwardContext
let devices: TestDevice[]

beforeEach(async () => {
  ctx = (await createApp()) as OutwardContext
  devices = await addDevices(ctx, providers, 'fcm', 30)
})

afterEach(() => providers.faults.clear())

interface Line {
  messageId?: string
  installationId?: string
  state: string
  reason?: string | null
}

const endOf = ({ installationId, state, reason }: Line) => `${installationId} ${state} ${reason ?? ''}`

/** The newest line of each delivery of the message. */
async function readStream(messageId: string): Promise<Line[]> {
  const lines = await openStream(ctx, { from: 0, types: 'delivery' }, stream)
  const newest = new Map<string, Line>()
  for (let part = await lines.next(); !part.done; part = await lines.next()) {
    for (const text of part.value.split('\n').filter(Boolean)) {
      const line = JSON.parse(text)
      if (line.messageId === messageId) newest.set(line.installationId, line)
    }
  }
  await lines.close()
  return [...newest.values()]
}

async function readExport(messageId: string, query: { messageId?: string }): Promise<Line[]> {
  const { columns, rows } = await exportDeliveries(ctx, query)
  const lines: Line[] = []
  for await (const row of rows)
    lines.push(Object.fromEntries(Object.keys(columns).map((name, index) => [name, row[index]])) as unknown as Line)
  return lines.filter((line) => line.messageId === messageId)
}

/** What became of the message, once all four places that list its deliveries and its counts agree about it. */
async function expectAgreement(id: string): Promise<{ cancelled: number; total: number }> {
  await settleCancelled(services)
  await recordCancelled(services)
  const { states, reasons, progress } = await getMessage(ctx, { id })
  const listed = (await listDeliveries(ctx, { id, limit: 1_000 })).data
  const ends = listed.map(endOf).toSorted()
  expect((await readExport(id, { messageId: id })).map(endOf).toSorted()).toEqual(ends)
  expect((await readExport(id, {})).map(endOf).toSorted()).toEqual(ends)
  expect((await readStream(id)).map(endOf).toSorted()).toEqual(ends)
  expect(listed.length).toBe(progress.total)
  expect(listed.filter(({ state }) => state === 'ended').length).toBe(states.ended)
  for (const reason of ['cancelled', 'unknown'] as const)
    expect(listed.filter((line) => line.reason === reason).length).toBe(reasons[reason])
  expect(await store.query(sql`select from delivery_batches where message_id = ${id}`)).toEqual([])
  expect(await findBroken(store)).toEqual([])
  return { cancelled: reasons.cancelled, total: progress.total }
}

it('a send to a group that is cancelled before its audience was cut into batches', async () => {
  const { id } = await sendByQuery(ctx, { ...hello, target: {} } as never)
  expect(await cancelMessage(ctx, { id })).toMatchObject({ count: 30 })
  // The job that removes finished audiences may run before the cancelled deliveries are recorded.
  await sweepAudiences(services)
  expect(await getMessage(ctx, { id })).toMatchObject({ reasons: { cancelled: 30 } })
  expect(await expectAgreement(id)).toEqual({ cancelled: 30, total: 30 })
  const { progress } = await getMessage(ctx, { id })
  expect(progress).toMatchObject({ total: 30, settled: 30, waiting: 0, cancelled: 30 })
  expect(progress).not.toHaveProperty('startedAt')
  expect(progress).not.toHaveProperty('ratePerSecond')
  await sweepAudiences(services)
  expect(await store.query(sql`select from audience_parts where app_id = ${ctx.app.id}`)).toEqual([])
})

it('a send to a group that is cancelled after a part of it was handed over', async () => {
  const sending = startDispatcher()
  const { id } = await sendByQuery(ctx, { ...hello, target: {}, throttle: { perMinute: 60 } } as never)
  await until(
    () => getMessage(ctx, { id }),
    ({ states }) => states.sent > 0,
  )
  await cancelMessage(ctx, { id })
  await sending.stop()
  const { cancelled } = await expectAgreement(id)
  const { states } = await getMessage(ctx, { id })
  expect(cancelled).toBeGreaterThan(0)
  expect(cancelled + states.sent).toBe(30)
})

it.each([3, 30])('a send to %i named users that is cancelled before it went', async (count) => {
  const users = devices.slice(0, count).map(({ userId }) => userId)
  const { id } = (await sendToUsers(ctx, { ...hello, users })) as { id: string }
  await cancelMessage(ctx, { id })
  expect(await expectAgreement(id)).toEqual({ cancelled: count, total: count })
})

it.each(['query', 'users'])('a send by %s at the local time of its users', async (kind) => {
  const users = devices.map(({ userId }) => userId)
  const sendAt = { local: new Date(Date.now() + 86_400_000).toISOString().slice(0, 16) }
  const { id } = (await (kind === 'users'
    ? sendToUsers(ctx, { ...hello, users, sendAt } as never)
    : sendByQuery(ctx, { ...hello, target: {}, sendAt } as never))) as { id: string }
  await store.query(sql`update scheduled_messages set available_at = now(), due_at = now() where id = ${id}`)
  await startScheduled(services)
  await cancelMessage(ctx, { id })
  expect(await expectAgreement(id)).toEqual({ cancelled: 30, total: 30 })
})

it('a send that was paused, and devices whose user was deleted before and after the cancel', async () => {
  const { id } = await sendByQuery(ctx, { ...hello, target: {} } as never)
  await pauseMessage(ctx, { id })
  await deleteUser(ctx, { userId: devices[0]?.userId as string })
  await cancelMessage(ctx, { id })
  await deleteUser(ctx, { userId: devices[1]?.userId as string })
  await settleCancelled(services)
  await recordCancelled(services)
  await deleteUser(ctx, { userId: devices[2]?.userId as string })
  const { reasons, progress } = await getMessage(ctx, { id })
  expect(reasons.cancelled).toBe(30)
  expect(progress).toMatchObject({ total: 30, settled: 30, waiting: 0 })
  const ends = (await listDeliveries(ctx, { id, limit: 1_000 })).data.map(endOf).toSorted()
  expect(ends).toHaveLength(27)
  expect((await readStream(id)).map(endOf).toSorted()).toEqual(ends)
})

it('a part that a process held when it died may have arrived: it ends as unknown, and a recall takes it back', async () => {
  const users = devices.slice(0, 2).map(({ userId }) => userId)
  const { id } = (await sendToUsers(ctx, { ...hello, users })) as { id: string }
  await store.query(sql`
    update delivery_batches set lease_holder = gen_random_uuid(), available_at = now() - interval '1 minute' where message_id = ${id}`)
  await cancelMessage(ctx, { id })
  const sending = startDispatcher()
  expect(await recall(ctx, id)).toMatchObject({ cleared: 2, notReachable: 0 })
  await sending.stop()
  expect(await expectAgreement(id)).toEqual({ cancelled: 0, total: 2 })
})
