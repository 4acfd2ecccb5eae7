import { type StreamLine, stream } from '@peyk/contract'
import { createTestApp, createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import { until } from '@peyk/test/runner/until.ts'
import { withoutOtherFields } from '@peyk/test/service/check-answer.ts'
import sql from 'sql-template-tag'
import { Compile } from 'typebox/compile'
import { expect, onTestFinished, test } from 'vitest'
import type { LineStream } from '#base/answers/line-stream.ts'
import type { Context } from '#base/context.ts'
import { advanceDeliveries } from '../../deliveries/progress/advance-deliveries.ts'
import { adoptUserEvents } from '../../events/adoption/adopt-user-events.ts'
import { addInstallation, addUser } from '../../events/events.test-support.ts'
import { trackBulk } from '../../events/track/track-bulk.ts'
import { trackEvent } from '../../events/track/track-event.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { unregisterInstallation } from '../../installations/uninstalls/unregister-installation.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { markCancelled } from '../../messages/stored/mark-cancelled.ts'
import { markFinished } from '../../messages/stored/mark-finished.ts'
import { markRecalled } from '../../messages/stored/mark-recalled.ts'
import { recordReceipts } from '../../receipts/record-receipts.ts'
import { openStream } from './open-stream.ts'

const store = await createTestStore()
const answer = Compile(withoutOtherFields(stream.answer))
const reader = { durations: { heartbeatMs: 60_000, streamLagMs: 0 }, isStillAllowed: async () => true }
const listener = { ...reader, durations: { ...reader.durations, heartbeatMs: 20 } }

type Query = Parameters<typeof openStream>[1]

function linesOf(text: string): StreamLine[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

async function readAll(ctx: Context, query: Query): Promise<StreamLine[]> {
  const lines = await openStream(ctx, query, reader)
  const read: StreamLine[] = []
  for (let part = await lines.next(); !part.done; part = await lines.next()) read.push(...linesOf(part.value))
  await lines.close()
  for (const line of read) expect(answer.Check(line), JSON.stringify(line)).toBe(true)
  return read
}

/** Without the last line, which says where it ended. */
async function read(ctx: Context, query: Query): Promise<StreamLine[]> {
  const lines = await readAll(ctx, query)
  expect(lines.at(-1)?.type).toBe('end')
  return lines.slice(0, -1)
}

const namesOf = (lines: readonly StreamLine[]) =>
  lines.map((line) => ('eventName' in line ? line.eventName : line.type))

async function nextOf(lines: LineStream, type: string): Promise<StreamLine> {
  for (;;) {
    const part = await lines.next()
    if (part.done) throw new Error(`It ended without ${type}.`)
    const found = linesOf(part.value).find((line) => line.type === type)
    if (found) return found
  }
}

async function live(ctx: Context) {
  const { id: installationId } = await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
  const [row] = await store.query<{ no: number }>(
    sql`select installation_no as no from installations where app_id = ${ctx.app.id} and id = ${installationId}`,
  )
  const phone = { id: installationId, no: row?.no as number }
  const { id } = await sendByQuery(ctx, { content: 'hi', target: {}, trackId: 'autumn' })
  const step = { appId: ctx.app.id, messageId: id, installationNo: phone.no, provider: 'fcm', recipients: 1 }
  await store.transaction((tx) => advanceDeliveries(tx, [{ ...step, state: 'sent', at: ctx.now() }]))
  const about = { messageId: id, actionId: '', happenedAt: ctx.now() }
  await recordReceipts(ctx, { installationId: phone.id, receipts: [{ ...about, kind: 'opened' }] })
  await recordReceipts(ctx, { installationId: phone.id, receipts: [{ ...about, kind: 'acted', actionId: 'buy' }] })
  await trackEvent(ctx, { userId: 'sara', eventName: 'Bought', eventData: { sku: 'A-17' } })
  await markFinished(ctx, { id })
  await markCancelled(ctx, { id })
  await markRecalled(ctx, { id })
  await unregisterInstallation(ctx, { id: phone.id })
  return { id, phone }
}

test('everything that happened comes in the order of time, and from every line it goes on', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  const { id, phone } = await live(ctx)
  await live(other)
  const lines = await read(ctx, { from: 0 })
  expect(lines.map(({ type }) => type).toSorted()).toEqual(
    [
      ...['delivery', 'event', 'message.accepted', 'message.cancelled', 'message.finished', 'message.recalled'],
      ...['receipt', 'receipt', 'uninstall'],
    ].toSorted(),
  )
  expect(lines.map(({ time }) => time)).toEqual(lines.map(({ time }) => time).toSorted((a, b) => a - b))
  const find = (type: string) => lines.find((line) => line.type === type)
  const whose = { userId: 'sara', installationId: phone.id }
  expect(find('message.accepted')).toMatchObject({
    messageId: id,
    trackId: 'autumn',
    audience: 'query',
    count: 1,
  })
  expect(find('delivery')).toMatchObject({ messageId: id, ...whose, state: 'opened', provider: 'fcm' })
  expect(find('receipt')).toMatchObject({ messageId: id, ...whose, kind: 'opened' })
  expect(find('event')).toMatchObject({ ...whose, eventName: 'Bought', eventData: { sku: 'A-17' } })
  expect(find('uninstall')).toMatchObject({ ...whose, deviceType: 'android', isChurn: true })
  for (const [index, { cursor }] of lines.entries()) {
    expect(await read(ctx, { cursor }), `after line ${index}`).toEqual(lines.slice(index + 1))
  }
  const times = lines.map(({ time }) => time)
  const [from, to] = [times[1] as number, times.at(-1) as number]
  expect(await read(ctx, { from, to })).toEqual(lines.filter(({ time }) => time >= from && time < to))
  expect(namesOf(await read(ctx, { from: 0, types: 'event, uninstall' }))).toEqual(['Bought', 'uninstall'])
})

test('what began to be written earlier and is committed later is waited for', async () => {
  const ctx = await createTestApp(store)
  // The first read makes the indexes, and waits for who writes.
  await read(ctx, {})
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  onTestFinished(() => held.resolve())
  const late = store.transaction(async (tx) => {
    // Events have whole milliseconds: in the one in which the transaction began, they would be older than it.
    const [row] = await tx.query<{ at: Date }>(sql`select now() as at`)
    await until(Date.now, (now) => now > (row?.at.getTime() as number))
    await trackEvent({ ...ctx, tx }, { userId: 'sara', eventName: 'First' })
    begun.resolve()
    await held.promise
  })
  await begun.promise
  await trackEvent(ctx, { userId: 'omid', eventName: 'Second' })
  const before = await readAll(ctx, { from: Date.now() - 60_000 })
  expect(before.map(({ type }) => type)).toEqual(['end'])
  held.resolve()
  await late
  await trackEvent(ctx, { userId: 'omid', eventName: 'Third' })
  const cursor = before[0]?.cursor as string
  expect(namesOf(await read(ctx, { cursor }))).toEqual(['First', 'Second', 'Third'])
})

test('many of one moment come page by page, each once', async () => {
  const ctx = await createTestApp(store)
  const at = new Date(Date.now() - 5_000)
  const then = { ...ctx, now: () => at }
  await trackBulk(
    then,
    Array.from({ length: 900 }, (_, index) => ({ userId: `u${index % 7}`, eventName: `E${index}` })),
  )
  await trackBulk(
    then,
    Array.from({ length: 800 }, (_, index) => ({ userId: 'sara', eventName: `F${index}` })),
  )
  const lines = await read(ctx, { from: 0 })
  expect(new Set(namesOf(lines)).size).toBe(1_700)
  expect(lines).toHaveLength(1_700)
  const { cursor } = lines[777] as StreamLine
  expect(await read(ctx, { cursor })).toEqual(lines.slice(778))
})

test('an event that a login gives to a device does not come again', async () => {
  const ctx = await createTestApp(store)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Early' })
  const [line, end] = (await readAll(ctx, { from: 0 })) as [StreamLine, StreamLine]
  expect(line).toMatchObject({ type: 'event', userId: 'sara' })
  const phone = await addInstallation(ctx, 'sara')
  await store.query(sql`insert into event_adoptions values (${ctx.app.id}, ${await addUser(ctx, 'sara')}, ${phone.no})`)
  await adoptUserEvents({ store, log: silentLog })
  for (const { cursor } of [line, end]) expect(await read(ctx, { cursor })).toEqual([])
})

test('a delivery that moves on has a new line', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const { id } = await sendByQuery(ctx, { content: 'hi', target: {} })
  const key = { appId: ctx.app.id, messageId: id, installationNo: phone.no, recipients: 1 }
  await store.transaction((tx) => advanceDeliveries(tx, [{ ...key, state: 'sent', at: ctx.now() }]))
  const lines = await read(ctx, { from: 0, types: 'delivery' })
  expect(lines).toMatchObject([{ state: 'sent' }])
  await store.transaction((tx) => advanceDeliveries(tx, [{ ...key, state: 'shown', at: ctx.now() }]))
  expect(await read(ctx, { cursor: lines[0]?.cursor as string })).toMatchObject([{ type: 'delivery', state: 'shown' }])
})

test('it stays open, says that it lives, gives what comes, and ends properly', async () => {
  const ctx = await createTestApp(store)
  const lines = await openStream(ctx, { follow: true }, listener)
  await nextOf(lines, 'heartbeat')
  await trackEvent(ctx, { userId: 'sara', eventName: 'Now' })
  expect(await nextOf(lines, 'event')).toMatchObject({ eventName: 'Now' })
  lines.end()
  const { cursor } = await nextOf(lines, 'end')
  expect((await lines.next()).done).toBe(true)
  await lines.close()
  await trackEvent(ctx, { userId: 'sara', eventName: 'Later' })
  expect(namesOf(await read(ctx, { cursor }))).toEqual(['Later'])
})

test('it ends when its token is revoked', async () => {
  const ctx = await createTestApp(store)
  const lines = await openStream(ctx, { follow: true }, { ...listener, isStillAllowed: async () => false })
  expect(await nextOf(lines, 'end')).toBeDefined()
  await lines.close()
})

test('an app has so many streams, and another one its own', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  const open = [1, 2, 3, 4].map(() => openStream(ctx, { follow: true }, reader))
  const streams = await Promise.all(open)
  await expect(openStream(ctx, {}, reader)).rejects.toMatchObject({ code: 'too-many-requests' })
  await read(other, { from: 0 })
  for (const lines of streams) await lines.close()
  await read(ctx, { from: 0 })
})

test('the indexes are made for every month, and again where one was left unfinished', async () => {
  const ctx = await createTestApp(store)
  await read(ctx, {})
  const indexes = () =>
    store.query<{ name: string; is_valid: boolean }>(sql`
      select c.relname as name, x.indisvalid as is_valid from pg_class c join pg_index x on x.indexrelid = c.oid
      where c.relname like '%\\_arrival' order by 1`)
  const made = await indexes()
  expect(made.length).toBeGreaterThanOrEqual(4)
  const { name } = made[0] as { name: string }
  await store.query(sql`update pg_index set indisvalid = false where indexrelid = ${name}::regclass`)
  await read(ctx, {})
  expect(await indexes()).toEqual(made.map((index) => ({ ...index, is_valid: true })))
})

test('a cursor from before what is kept is refused, and says since when it is', async () => {
  const ctx = await createTestApp(store)
  await store.query(sql`
    update apps set settings = '{"retention": {"eventsDays": 40, "deliveriesDays": 400}}' where app_id = ${ctx.app.id}`)
  const ago = (days: number) => {
    const us = (Date.now() - days * 86_400_000) * 1000
    return Buffer.from(`${us}`).toString('base64url')
  }
  const refused = openStream(ctx, { cursor: ago(80) }, reader)
  await expect(refused).rejects.toMatchObject({ code: 'cursor-expired', status: 410, details: { field: 'cursor' } })
  expect(await read(ctx, { cursor: ago(80), types: 'delivery,receipt' })).toEqual([])
  expect(await read(ctx, { cursor: ago(39) })).toEqual([])
})

test.each([
  [{ cursor: 'x' }, 'cursor'],
  [{ cursor: 'MQ', from: 0 }, 'from'],
  [{ from: 'then' }, 'from'],
  [{ from: 1_100_000_000_000, to: 1_000_000_000_000 }, 'to'],
  [{ from: '2026-02-30' }, 'from'],
  [{ from: 1_790_000_000_000_000 }, 'from'],
  [{ types: 'event,nonsense' }, 'types'],
  [{ types: '' }, 'types'],
] as [Query, string][])('%j is refused', async (query, field) => {
  const ctx = await createTestApp(store)
  await expect(openStream(ctx, query, reader)).rejects.toMatchObject({ code: 'invalid-request', details: { field } })
})
