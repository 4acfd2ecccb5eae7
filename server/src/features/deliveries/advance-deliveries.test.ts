import type { DeliveryReason, DeliveryState } from '@peyk/contract'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestApp, createTestStore } from '../../../../test/helpers/test-store.ts'
import type { Context } from '../../base/context.ts'
import { timeOrderedId } from '../../base/ids.ts'
import { advanceDeliveries, type DeliveryStep } from './advance-deliveries.ts'

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
  await store.transaction((tx) => advanceDeliveries(tx, []))
})
