import { clientIdOf, connectRaw, createConnectionServerForTest, type RawClient } from '@peyk/test/connection.ts'
import { silentLog, testExternal } from '@peyk/test/database/test-store.ts'
import type { Device } from '@peyk/test/devices.ts'
import { listenTo, readOutbox } from '@peyk/test/outbox.ts'
import { until } from '@peyk/test/runner/until.ts'
import type { IPublishPacket } from 'mqtt-packet'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { defaultDurations } from '#base/durations.ts'
import { createDispatcher } from '#features/deliveries/dispatch/dispatcher.ts'
import { sendByQuery } from '#features/messages/send/send-by-query.ts'
import { sendToUsers } from '#features/messages/send/send-to-users.ts'
import { forgetInterests, mayInterest } from '#features/outbox/outbox.ts'
import { recordReceipts } from '#features/receipts/record-receipts.ts'

/** Messages that go to connected clients before anything is stored of their deliveries. */

const { ctx, store, clientKey, port, register } = await createConnectionServerForTest()
const asked = vi.spyOn(store, 'query')
const dispatcher = createDispatcher({
  ...{ store, external: testExternal, log: silentLog, now: () => new Date() },
  pushesPerSecond: 1_000,
  durations: defaultDurations,
})
dispatcher.start()
afterAll(() => dispatcher.stop())

type Phone = RawClient & { device: Device }

async function connect(device: Device): Promise<Phone> {
  const raw = await connectRaw(port, 5)
  raw.send({
    ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 5, clean: false, keepalive: 60 },
    ...{ clientId: clientIdOf(ctx, device), username: clientKey, password: Buffer.from(clientKey) },
  })
  await until(
    () => raw.find('connack'),
    (packet) => packet !== undefined,
  )
  return Object.assign(raw, { device })
}

/** Connected, and what comes goes directly: its inbox was read, and it is known that no webhook wants to hear of it. */
async function openPhone(): Promise<Phone> {
  const phone = await connect(await register())
  await until(
    async () => {
      const id = await send(phone)
      acknowledge(phone, await arrivalOf(phone, id))
      await until(() => readDelivery(id), isDelivered)
      return (
        asked.mock.calls.some(([, name]) => name === 'read-fresh') &&
        !mayInterest(store, ctx.app.id, 'message.delivered')
      )
    },
    (isReady) => isReady,
  )
  return phone
}

async function send({ device }: Phone): Promise<string> {
  asked.mockClear()
  const { id } = (await sendToUsers(ctx, { user: device.userId, content: 'hello' })) as { id: string }
  return id
}

const arrivalsOf = (phone: Phone, id: string) =>
  phone.packets.filter(
    (packet): packet is IPublishPacket => packet.cmd === 'publish' && packet.payload.toString().includes(id),
  )

async function arrivalOf(phone: Phone, id: string): Promise<IPublishPacket> {
  const [first] = await until(
    () => arrivalsOf(phone, id),
    (arrivals) => arrivals.length > 0,
  )
  return first as IPublishPacket
}

function acknowledge(phone: Phone, { messageId }: IPublishPacket, reasonCode = 0): void {
  phone.send({ cmd: 'puback', messageId: messageId as number, reasonCode })
}

async function readDelivery(id: string) {
  const [row] = await store.query<{
    state: string
    reason: string | null
    provider: string | null
    in_inbox: boolean
    detail: string | null
  }>(
    sql`select state, reason, provider, in_inbox, detail from deliveries where app_id = ${ctx.app.id} and message_id = ${id}`,
  )
  return row
}

type Delivery = Awaited<ReturnType<typeof readDelivery>>
const isDelivered = (row: Delivery) => row?.state === 'delivered' && !row.in_inbox
const isInInbox = (row: Delivery) => row?.state === 'queued' && row.in_inbox

const countReceipts = async (id: string) =>
  (
    await store.query(
      sql`select from receipts where app_id = ${ctx.app.id} and message_id = ${id} and kind = 'delivered'`,
    )
  ).length

describe('a message to a connected client', () => {
  it('is stored once, as delivered, when it is acknowledged', async () => {
    const phone = await openPhone()
    const id = await send(phone)
    const arrival = await arrivalOf(phone, id)
    expect(await readDelivery(id)).toBeUndefined()
    acknowledge(phone, arrival)
    await until(() => readDelivery(id), isDelivered)
    expect(await countReceipts(id)).toBe(1)
    expect(asked.mock.calls.map(([, name]) => name)).not.toContain('read-inbox')
    expect(arrivalsOf(phone, id)).toHaveLength(1)
  })

  it('does not wait for the acknowledgement of the one before', async () => {
    const phone = await openPhone()
    const ids = [await send(phone), await send(phone)]
    const arrivals = [await arrivalOf(phone, ids[0] as string), await arrivalOf(phone, ids[1] as string)]
    for (const id of ids) expect(await readDelivery(id)).toBeUndefined()
    for (const arrival of arrivals) acknowledge(phone, arrival)
    for (const id of ids) await until(() => readDelivery(id), isDelivered)
  })

  it('waits in the inbox when it is not acknowledged soon, and is delivered when it is after all', async () => {
    const phone = await openPhone()
    const id = await send(phone)
    const arrival = await arrivalOf(phone, id)
    await until(() => readDelivery(id), isInInbox)
    acknowledge(phone, arrival)
    await until(() => readDelivery(id), isDelivered)
    expect(await countReceipts(id)).toBe(1)
    expect(arrivalsOf(phone, id)).toHaveLength(1)
  })

  it('is acknowledged, and known to have come over the connection, though its client showed it before', async () => {
    const phone = await openPhone()
    for (const isSoon of [true, false]) {
      const id = await send(phone)
      const arrival = await arrivalOf(phone, id)
      const shown = { messageId: id, kind: 'shown' as const, actionId: '', happenedAt: ctx.now() }
      await recordReceipts(ctx, { installationId: phone.device.id, receipts: [shown] })
      if (!isSoon) {
        await until(
          () => readDelivery(id),
          (row) => row?.provider === 'connection',
        )
      }
      acknowledge(phone, arrival)
      await until(
        () => countReceipts(id),
        (count) => count === 1,
      )
      expect(await readDelivery(id)).toMatchObject({ state: 'shown', provider: 'connection', in_inbox: false })
    }
  })

  it('comes again, marked as such, when the line breaks before it is acknowledged', async () => {
    const phone = await openPhone()
    const id = await send(phone)
    expect((await arrivalOf(phone, id)).dup).toBe(false)
    phone.socket.destroy()
    await until(() => readDelivery(id), isInInbox)
    const again = await connect(phone.device)
    const arrival = await arrivalOf(again, id)
    expect(arrival.dup).toBe(true)
    acknowledge(again, arrival)
    await until(() => readDelivery(id), isDelivered)
  })

  it('ends when the client does not take it', async () => {
    const phone = await openPhone()
    const id = await send(phone)
    acknowledge(phone, await arrivalOf(phone, id), 0x97)
    const row = await until(
      () => readDelivery(id),
      (delivery) => delivery !== undefined,
    )
    expect(row).toMatchObject({ state: 'ended', reason: 'refused', detail: expect.stringContaining('0x97') })
  })

  it('is counted as any other when it goes to many', async () => {
    const phones = await Promise.all(Array.from({ length: 22 }, async () => connect(await register())))
    const [first] = phones as [Phone]
    await until(
      async () => mayInterest(store, ctx.app.id, 'message.delivered'),
      (may) => !may,
    )
    const { id } = (await sendByQuery(ctx, { target: {}, content: 'hello' })) as { id: string }
    await arrivalOf(first, id)
    for (const phone of phones) acknowledge(phone, await arrivalOf(phone, id))
    const counts = () =>
      store.query<{ state: string; count: number }>(sql`
        select state, sum(count)::int as count from delivery_counters
        where app_id = ${ctx.app.id} and message_id = ${id} group by state having sum(count) <> 0`)
    await until(counts, (rows) => (rows.find(({ state }) => state === 'delivered')?.count ?? 0) >= phones.length)
    expect(await countReceipts(id)).toBe(phones.length)
  })

  it('is told to a webhook that wants to know', async () => {
    const phone = await openPhone()
    onTestFinished(async () => {
      await store.query(sql`delete from webhooks where app_id = ${ctx.app.id}`)
      forgetInterests(store)
    })
    await listenTo(ctx, ['message.delivered'])
    const id = await send(phone)
    acknowledge(phone, await arrivalOf(phone, id))
    await until(() => readDelivery(id), isDelivered)
    expect(await readOutbox(ctx)).toMatchObject([{ kind: 'message.delivered' }])
  })
})
