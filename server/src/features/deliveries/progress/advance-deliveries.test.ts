import type { DeliveryReason, DeliveryState } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { timeOrderedId } from '#base/ids.ts'
import { advanceDeliveries, type DeliveryStep } from './advance-deliveries.ts'
import { addMessageTo, countRows, readCounters } from './counters.test-support.ts'

const store = await createTestStore()

type Step = DeliveryState | `ended:${DeliveryReason}`

function stepsOf(ctx: Context, messageId: string, steps: readonly Step[]): DeliveryStep[] {
  return steps.map((step) => {
    const [state, reason] = step.split(':') as [DeliveryState, DeliveryReason | undefined]
    return { appId: ctx.app.id, messageId, installationNo: 1, state, at: ctx.now(), ...(reason && { reason }) }
  })
}

async function stateOf(ctx: Context, messageId: string): Promise<string> {
  const rows = await store.query<{ state: string; reason: string | null }>(sql`
    select state, reason from deliveries where app_id = ${ctx.app.id} and message_id = ${messageId}`)
  expect(rows.length).toBeLessThanOrEqual(1)
  return rows.map(({ state, reason }) => (reason ? `${state}:${reason}` : state)).join()
}

test.each<[Step[], Step]>([
  [['queued', 'sent', 'delivered', 'shown', 'opened'], 'opened'],
  [['opened', 'shown', 'delivered', 'sent', 'queued'], 'opened'],
  [['shown', 'sent'], 'shown'],
  [['opened', 'acted', 'dismissed'], 'opened'],
  [['dismissed', 'opened'], 'dismissed'],
  [['queued', 'ended:expired'], 'ended:expired'],
  [['sent', 'ended:gone'], 'ended:gone'],
  [['delivered', 'ended:expired'], 'delivered'],
  [['shown', 'ended:unknown'], 'shown'],
  [['ended:expired', 'shown'], 'ended:expired'],
  [['ended:gone', 'ended:expired'], 'ended:gone'],
  [['ended:unknown', 'ended:gone'], 'ended:unknown'],
  [['ended:unknown', 'sent'], 'ended:unknown'],
  [['ended:unknown', 'delivered'], 'delivered'],
  [['sent', 'ended:unknown', 'opened'], 'opened'],
  [['ended:unknown', 'shown', 'ended:expired'], 'shown'],
])('%j ends as %s, in one call or in several', async (steps, end) => {
  const ctx = await createTestApp(store)
  const [together, apart] = [timeOrderedId(ctx.now()), timeOrderedId(ctx.now())]
  await store.transaction((tx) => advanceDeliveries(tx, stepsOf(ctx, together, steps)))
  for (const step of steps) await store.transaction((tx) => advanceDeliveries(tx, stepsOf(ctx, apart, [step])))
  expect([await stateOf(ctx, together), await stateOf(ctx, apart)]).toEqual([end, end])
})

test('in whatever calls the steps come, the state is the same', async () => {
  const ctx = await createTestApp(store)
  const step = fc.constantFrom<Step[]>(
    'queued',
    'sent',
    'delivered',
    'shown',
    'opened',
    'acted',
    'dismissed',
    'ended:unknown',
    'ended:gone',
    'ended:expired',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 8 }),
      async (steps, cut) => {
        const [left, right] = [timeOrderedId(ctx.now()), timeOrderedId(ctx.now())]
        await store.transaction((tx) => advanceDeliveries(tx, stepsOf(ctx, left, steps)))
        for (const part of [steps.slice(0, cut), steps.slice(cut)]) {
          await store.transaction((tx) => advanceDeliveries(tx, stepsOf(ctx, right, part)))
        }
        expect(await stateOf(ctx, right)).toBe(await stateOf(ctx, left))
      },
    ),
    { numRuns: 60 },
  )
})

test('the provider and the time of the step are kept, and a lifted end loses its reason', async () => {
  const at = new Date(Date.UTC(2026, 10, 1))
  const ctx = await createTestApp(store, { at: () => at })
  const id = timeOrderedId(at)
  const [ended, shown] = stepsOf(ctx, id, ['ended:unknown', 'shown']) as [DeliveryStep, DeliveryStep]
  await store.transaction((tx) => advanceDeliveries(tx, [{ ...ended, provider: 'fcm' }]))
  await store.transaction((tx) => advanceDeliveries(tx, [{ ...shown, at: new Date(Number(at) + 1000) }]))
  expect(
    await store.query(sql`select state, reason, provider, updated_at from deliveries where app_id = ${ctx.app.id}`),
  ).toEqual([{ state: 'shown', reason: null, provider: 'fcm', updated_at: new Date(Number(at) + 1000) }])
})

test('no steps are no work', async () => {
  expect(await store.transaction((tx) => advanceDeliveries(tx, []))).toEqual({ moved: [], unmoved: [] })
})

const stepTo = (ctx: Context, messageId: string, installationNo: number, step: Step): DeliveryStep => ({
  ...(stepsOf(ctx, messageId, [step])[0] as DeliveryStep),
  installationNo,
})
const advance = (steps: readonly DeliveryStep[]) => store.transaction((tx) => advanceDeliveries(tx, steps))

test('only what really changed is told, with what it was before', async () => {
  const ctx = await createTestApp(store)
  const id = await addMessageTo(ctx, 30)
  const key = (installationNo: number) => ({ appId: ctx.app.id, messageId: id, installationNo })
  const first = await advance([1, 2].map((number) => stepTo(ctx, id, number, 'sent')))
  expect(first.moved).toEqual([
    { ...key(1), state: 'sent' },
    { ...key(2), state: 'sent' },
  ])
  const second = await advance([
    stepTo(ctx, id, 1, 'sent'),
    stepTo(ctx, id, 2, 'shown'),
    stepTo(ctx, id, 2, 'opened'),
    stepTo(ctx, id, 3, 'ended:gone'),
  ])
  expect(second.moved.toSorted((a, b) => a.installationNo - b.installationNo)).toEqual([
    { ...key(2), state: 'opened', was: 'sent' },
    { ...key(3), state: 'ended', reason: 'gone' },
  ])
  expect((await advance([stepTo(ctx, id, 2, 'shown')])).moved).toEqual([])
})

test('that a provider accepted it is noted also when the device was faster', async () => {
  const ctx = await createTestApp(store)
  const id = await addMessageTo(ctx, 30)
  const sentAt = new Date(Date.UTC(2026, 10, 1))
  const sent = { ...stepTo(ctx, id, 1, 'sent'), at: sentAt, provider: 'fcm', detail: 'projects/x/messages/1' }
  await advance([stepTo(ctx, id, 1, 'shown')])
  expect((await advance([sent])).moved).toEqual([])
  await advance([{ ...sent, at: new Date() }])
  await advance([{ ...sent, installationNo: 2 }])
  await advance([stepTo(ctx, id, 2, 'delivered')])
  const [shown, delivered] = await store.query(sql`
    select state, provider, detail, sent_at from deliveries where app_id = ${ctx.app.id} order by installation_no`)
  const kept = { provider: 'fcm', detail: 'projects/x/messages/1', sent_at: sentAt }
  expect([shown, delivered]).toEqual([
    { ...kept, state: 'shown' },
    { ...kept, state: 'delivered' },
  ])
})

test('what a provider said is stored whatever it is', async () => {
  const ctx = await createTestApp(store)
  const id = await addMessageTo(ctx, 1)
  const detail = `\0<html>"{,}'\\${'x'.repeat(5_000)}`
  await advance([{ ...stepTo(ctx, id, 1, 'ended:refused'), provider: 'fcm', detail }])
  const [row] = await store.query<{ detail: string }>(sql`select detail from deliveries where app_id = ${ctx.app.id}`)
  expect(row?.detail).toMatch(/^<html>"\{,\}'\\x+$/)
})

test('a message to many is counted as its deliveries move, one to few is not', async () => {
  const ctx = await createTestApp(store)
  const [many, few] = [await addMessageTo(ctx, 20), await addMessageTo(ctx, 19)]
  const numbers = Array.from({ length: 120 }, (_, index) => index + 1)
  for (const id of [many, few]) {
    await advance(numbers.map((number) => stepTo(ctx, id, number, number % 3 ? 'sent' : 'ended:unknown')))
    await advance(numbers.slice(0, 90).map((number) => stepTo(ctx, id, number, 'shown')))
    await advance([stepTo(ctx, id, 1, 'opened'), stepTo(ctx, id, 2, 'acted'), stepTo(ctx, id, 1, 'dismissed')])
  }
  const expected = { acted: 1, 'ended:unknown': 10, opened: 1, sent: 20, shown: 88 }
  expect(await countRows(ctx, many)).toEqual(expected)
  expect(await readCounters(ctx, many)).toEqual(expected)
  expect(await readCounters(ctx, few)).toEqual({})
})

test('a transaction that is rolled back counts nothing', async () => {
  const ctx = await createTestApp(store)
  const id = await addMessageTo(ctx, 20)
  const work = store.transaction(async (tx) => {
    await advanceDeliveries(tx, [stepTo(ctx, id, 1, 'sent')])
    throw new Error('rolled back')
  })
  await expect(work).rejects.toThrow('rolled back')
  expect(await readCounters(ctx, id)).toEqual({})
})

test('counters are equal to the rows, whatever several writers report at once and in whatever order', async () => {
  const ctx = await createTestApp(store)
  const words = ['queued', 'sent', 'delivered', 'shown', 'opened', 'acted', 'ended:unknown', 'ended:gone'] as const
  const report = fc.record({
    message: fc.nat({ max: 1 }),
    number: fc.integer({ min: 1, max: 6 }),
    word: fc.constantFrom<Step[]>(...words),
  })
  const calls = fc.array(fc.array(report, { minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(calls, async (reports) => {
      const ids = [await addMessageTo(ctx, 20), await addMessageTo(ctx, 20)]
      const moved = await Promise.all(
        reports.map((call) =>
          advance(call.map(({ message, number, word }) => stepTo(ctx, ids[message] as string, number, word))),
        ),
      )
      for (const id of ids) expect(await readCounters(ctx, id)).toEqual(await countRows(ctx, id))
      const told = moved.flatMap((answer) => answer.moved)
      const news = told
        .filter((delivery) => delivery.was === undefined)
        .map((delivery) => `${delivery.messageId} ${delivery.installationNo}`)
      expect(new Set(news).size).toBe(news.length)
    }),
    { numRuns: 40 },
  )
})

test('thousands of deliveries that are sent and reported at once end in equal counts', async () => {
  const ctx = await createTestApp(store)
  const id = await addMessageTo(ctx, 4_000)
  const numbers = Array.from({ length: 2_000 }, (_, index) => index + 1)
  const halves = [numbers, numbers.toReversed()]
  await Promise.all([
    ...halves.map((part) => advance(part.map((number) => stepTo(ctx, id, number, 'sent')))),
    ...halves.map((part) =>
      advance(part.filter((number) => number % 2).map((number) => stepTo(ctx, id, number, 'delivered'))),
    ),
    ...halves.map((part) =>
      advance(part.filter((number) => number % 4 === 1).map((number) => stepTo(ctx, id, number, 'opened'))),
    ),
  ])
  expect(await countRows(ctx, id)).toEqual({ delivered: 500, opened: 500, sent: 1_000 })
  expect(await readCounters(ctx, id)).toEqual({ delivered: 500, opened: 500, sent: 1_000 })
  const [unsent] = await store.query(sql`
    select count(*) as count from deliveries where app_id = ${ctx.app.id} and message_id = ${id} and sent_at is null`)
  expect(unsent).toEqual({ count: 0 })
})
