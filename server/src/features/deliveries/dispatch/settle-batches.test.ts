import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { addInstallation } from '../../messages/installation-rows.test-support.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import type { BatchRow, MessageInWork, Settled } from './held-batch.ts'
import { MessagesInWork } from './messages-in-work.ts'
import { settleBatch } from './settle-batches.ts'
import { takeBatches } from './take-batches.ts'

const store = await createTestStore()

const lease = { holder: randomUUID(), ms: 60_000 }

/** A message to somebody with two phones, and its batch, which is ours. */
async function takeOne(ctx: Context) {
  const phones = [await addInstallation(ctx, 'sara'), await addInstallation(ctx, 'sara', { deviceType: 'ios' })]
  await sendToUsers(ctx, { user: 'sara', content: 'Hello' })
  const taken = await takeBatches(store, { lane: 'personal', lease, blocked: [], perStream: 100, limit: 100 })
  const row = taken.find(({ appId }) => appId === ctx.app.id) as BatchRow
  const [message] = (await new MessagesInWork(store).claim([row])) as [MessageInWork]
  const { appId, batchNo, lane, attempts } = row
  const common = { appId, batchNo, lane, attempts, lease, isFinal: true, isStopped: false, message, putBacks: [] }
  const settle = (settled: Settled[], other: { isFinal?: boolean } = {}) =>
    settleBatch(ctx, { ...common, ...other, settled })
  return { numbers: phones.map(({ installationNo }) => installationNo) as [number, number], message, settle }
}

const at = new Date(Date.UTC(2026, 4, 6, 7))
const sent = (installationNo: number) => ({ installationNo, state: 'sent', provider: 'fcm', at }) as const

function readDeliveries(ctx: Context) {
  return store.query(sql`
    select installation_no as no, state, provider, in_inbox as waits, sent_at, updated_at from deliveries
    where app_id = ${ctx.app.id} order by installation_no`)
}

function readDays(ctx: Context) {
  return store.query(sql`
    select day::text, platform, sum(sent)::int as sent from delivery_days where app_id = ${ctx.app.id} group by 1, 2 order by 2`)
}

async function countBatches(ctx: Context): Promise<number> {
  return (await store.query(sql`select from delivery_batches where app_id = ${ctx.app.id}`)).length
}

it.each([true, false])(
  'what became of a batch that another holds by now is not stored, all of it known: %s',
  async (isFinal) => {
    const ctx = await createTestApp(store)
    const { numbers, settle } = await takeOne(ctx)
    const give = (holder: string) =>
      store.query(sql`update delivery_batches set lease_holder = ${holder} where app_id = ${ctx.app.id}`)

    const other = randomUUID()
    await give(other)
    expect(await settle(numbers.map(sent), { isFinal })).toMatchObject({ isOurs: false })
    expect(await readDeliveries(ctx)).toEqual([])
    const left = await store.query(
      sql`select lease_holder as holder from delivery_batches where app_id = ${ctx.app.id}`,
    )
    expect(left).toEqual([{ holder: other }])

    await give(lease.holder)
    expect(await settle(numbers.map(sent), { isFinal })).toMatchObject({ isOurs: true })
    expect(await readDeliveries(ctx)).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
  },
)

it('a message that went out, or waits in an inbox, is stored and counted, and its batch goes', async () => {
  const ctx = await createTestApp(store)
  const { numbers, settle } = await takeOne(ctx)
  const [phone, tablet] = numbers
  const waiting = { installationNo: tablet, state: 'queued', provider: 'connection', at, isNotified: true } as const
  expect(await settle([sent(phone), waiting])).toEqual({ isOurs: true, areNew: true })
  // A message waits for the connection of each device.
  expect(await readDeliveries(ctx)).toEqual([
    { no: phone, state: 'sent', provider: 'fcm', waits: true, sent_at: at, updated_at: at },
    { no: tablet, state: 'queued', provider: 'connection', waits: true, sent_at: null, updated_at: at },
  ])
  expect(await readDays(ctx)).toEqual([{ day: '2026-05-06', platform: 'android', sent: 1 }])
  expect(await countBatches(ctx)).toBe(0)
})

it('what a client acknowledged before it was stored is delivered, with its receipt, and counted for the day', async () => {
  const ctx = await createTestApp(store)
  const { numbers, settle } = await takeOne(ctx)
  const [phone, tablet] = numbers
  const known = { provider: 'connection', at, detailCode: 'connected-first', detailProvider: 'fcm' } as const
  const delivered = { ...known, installationNo: phone, state: 'delivered', platform: 'android' } as const
  expect(await settle([delivered, { ...known, installationNo: tablet, state: 'queued', isNotified: true }])).toEqual({
    isOurs: true,
    areNew: true,
  })
  const stored = await store.query(sql`
    select d.installation_no as no, d.state, d.in_inbox as waits, d.detail_code as code, d.detail_provider as next, r.kind
    from deliveries d left join receipts r using (app_id, message_id, installation_no)
    where d.app_id = ${ctx.app.id} order by 1`)
  expect(stored).toEqual([
    { no: phone, state: 'delivered', waits: false, code: 'connected-first', next: 'fcm', kind: 'delivered' },
    { no: tablet, state: 'queued', waits: true, code: 'connected-first', next: 'fcm', kind: null },
  ])
  expect(
    await store.query(sql`
      select platform, sum(sent)::int as sent, sum(delivered)::int as delivered from delivery_days
      where app_id = ${ctx.app.id} group by 1`),
  ).toEqual([{ platform: 'android', sent: 1, delivered: 1 }])
})

it('a device that was quicker than our own note keeps what it said, and is counted as sent once', async () => {
  const ctx = await createTestApp(store)
  const { numbers, message, settle } = await takeOne(ctx)
  await store.query(sql`
    insert into deliveries (app_id, message_id, installation_no, state, updated_at)
    values (${ctx.app.id}, ${message.id}, ${numbers[0]}, 'shown', ${at})`)
  expect(await settle(numbers.map(sent))).toEqual({ isOurs: true, areNew: false })
  expect(await readDeliveries(ctx)).toMatchObject([
    { state: 'shown', provider: 'fcm', sent_at: at },
    { state: 'sent', sent_at: at },
  ])
  expect(await countBatches(ctx)).toBe(0)
})

it('a device that says something at the very same moment is not lost, nor is what we know', async () => {
  const ctx = await createTestApp(store)
  const { numbers, message, settle } = await takeOne(ctx)
  let settling: Promise<unknown> | undefined
  await store.transaction(async (tx) => {
    await tx.query(sql`
      insert into deliveries (app_id, message_id, installation_no, state, updated_at)
      values (${ctx.app.id}, ${message.id}, ${numbers[0]}, 'shown', ${at})`)
    settling = settle(numbers.map(sent))
    await poll(isSomebodyWaiting).toBe(true)
  })
  expect(await settling).toEqual({ isOurs: true, areNew: false })
  expect(await readDeliveries(ctx)).toMatchObject([
    { state: 'shown', provider: 'fcm', sent_at: at },
    { state: 'sent', sent_at: at },
  ])
  expect(await countBatches(ctx)).toBe(0)
})

async function isSomebodyWaiting(): Promise<boolean> {
  const rows = await store.query(sql`
    select from pg_stat_activity where wait_event_type = 'Lock' and query like '%delete from delivery_batches%' and datname = current_database()`)
  return rows.length > 0
}

it('nothing is stored of an installation that was deleted with its user', async () => {
  const ctx = await createTestApp(store)
  const { numbers, settle } = await takeOne(ctx)
  await store.query(
    sql`insert into forgotten_installations (app_id, installation_no, forgotten_at) values (${ctx.app.id}, ${numbers[0]}, now())`,
  )
  expect(await settle(numbers.map(sent))).toMatchObject({ isOurs: true })
  expect(await readDeliveries(ctx)).toMatchObject([{ no: numbers[1], state: 'sent' }])
  expect(await countBatches(ctx)).toBe(0)
})
