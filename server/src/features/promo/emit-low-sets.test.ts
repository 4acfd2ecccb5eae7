import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { listenTo, readOutbox } from '@peyk/test/outbox.ts'
import { expect, test } from 'vitest'
import { listAlerts } from '../accounts/alerts/list-alerts.ts'
import { emitLowSets } from './emit-low-sets.ts'
import { createCampaign, replace, take } from './promo.test-support.ts'

const store = await createTestStore()
const codes = (count: number, prefix = 'C') =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`).join('\n')
const users = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index)

test('a set is told of once when fewer than a hundred are left, and again after it was replaced', async () => {
  const ctx = await createTestApp(store)
  await listenTo(ctx)
  await createCampaign(ctx, 'spring')
  await replace(ctx, 'spring', codes(300))
  await emitLowSets(ctx)
  await take(ctx, users(200), { trackId: 'spring' })
  await emitLowSets(ctx)
  expect(await readOutbox(ctx)).toEqual([])
  expect(await listAlerts(ctx)).toEqual([])

  await take(ctx, users(1, 201), { trackId: 'spring' })
  await emitLowSets(ctx)
  await take(ctx, users(50, 300), { trackId: 'spring' })
  await emitLowSets(ctx)
  expect(await readOutbox(ctx)).toEqual([
    { kind: 'promo.low', body: { promoSetId: expect.any(String), trackId: 'spring', codes: 300, left: 99 } },
  ])
  expect(await listAlerts(ctx)).toMatchObject([{ kind: 'promo-low', subject: 'spring' }])

  await replace(ctx, 'spring', codes(300, 'N'))
  expect(await listAlerts(ctx)).toEqual([])
  await take(ctx, users(250, 400), { trackId: 'spring' })
  await emitLowSets(ctx)
  expect(await readOutbox(ctx)).toHaveLength(2)
})

test('of a large set a tenth is few; of a small one the first code is told of; an untouched one never', async () => {
  const ctx = await createTestApp(store)
  await listenTo(ctx)
  await createCampaign(ctx, 'spring')
  await replace(ctx, undefined, codes(2_000, 'G'))
  await replace(ctx, 'spring', codes(3))
  await take(ctx, users(1_801))
  await emitLowSets(ctx)
  expect(await readOutbox(ctx)).toEqual([
    { kind: 'promo.low', body: { promoSetId: ctx.app.label, codes: 2_000, left: 199 } },
  ])
  await take(ctx, users(1, 5_000), { trackId: 'spring' })
  await emitLowSets(ctx)
  expect((await readOutbox(ctx)).slice(1)).toMatchObject([{ body: { trackId: 'spring', codes: 3, left: 2 } }])
})
