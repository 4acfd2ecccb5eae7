import { createTestApp } from '@peyk/test/database/test-store.ts'
import { createDelivery } from '@peyk/test/delivery.ts'
import { until } from '@peyk/test/runner/until.ts'
import { beforeEach, expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { createCategory } from '../../categories/create-category.ts'
import { changePreferences } from '../../categories/preferences/change-preferences.ts'
import { isInControlGroup } from '../hand-over/control-group.ts'
import { assignVariant } from '../variants/assign-variant.ts'
import { giveSms, readFallbacks, sendWithSms, settleAll, whileSending } from './fallback.test-support.ts'

const { providers, store, external } = await createDelivery()
const phones = Array.from({ length: 40 }, (_, index) => `98935000${String(index).padStart(4, '0')}`)
const [phone] = phones as [string]
const news = { category: 'news' }
let ctx: Context

beforeEach(async () => {
  ctx = await createTestApp(store, { external })
  await giveSms(ctx, providers)
  await createCategory(ctx, { id: 'news', name: { en: 'News' } })
})

test('whoever does not want a category gets no SMS of it', async () => {
  await changePreferences(ctx, { userId: phone, categories: { news: false } })
  expect(await settleAll(ctx, await sendWithSms(ctx, [phone], {}, news))).toMatchObject([
    { state: 'refused', detail: 'the user does not want messages of this category' },
  ])
  expect(await settleAll(ctx, await sendWithSms(ctx, [phone]))).toMatchObject([{ state: 'sent' }])
})

test('the control group gets none, not even those who were never heard of', async () => {
  await changeApp(ctx, { controlGroup: 50 })
  const rows = await settleAll(ctx, await sendWithSms(ctx, phones, {}, news))
  const left = rows.filter(({ state }) => state === 'refused').map(({ user_id }) => user_id)
  expect(left).toEqual(phones.filter((userId) => isInControlGroup(ctx.app.id, userId, 50)))
  expect(left.length).toBeGreaterThan(0)
  expect(left.length).toBeLessThan(phones.length)
})

test('an SMS counts against a cap', async () => {
  await changeApp(ctx, { caps: [{ count: 1, window: '24h' }] })
  await changePreferences(ctx, { userId: phone, all: true })
  const first = await sendWithSms(ctx, [phone], {}, news)
  expect(await settleAll(ctx, first)).toMatchObject([{ state: 'sent' }])
  expect(await settleAll(ctx, await sendWithSms(ctx, [phone], {}, news))).toMatchObject([
    { state: 'refused', detail: `capped: 1 in 24h, by ${first}` },
  ])
})

test('an SMS in quiet hours waits for their end', async () => {
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
  const quietHours = { from: clock(-1), to: clock(2) }
  await changeApp(ctx, { quietHours })
  const id = await sendWithSms(ctx, [phone], {}, news)
  const short = await sendWithSms(ctx, [phone], {}, { ...news, ttl: 60 })
  await whileSending(ctx, () =>
    until(
      async () => [...(await readFallbacks(ctx, id)), ...(await readFallbacks(ctx, short))],
      ([waiting, expired]) => waiting?.detail != null && expired?.state !== 'waiting',
    ),
  )
  expect(await readFallbacks(ctx, id)).toMatchObject([
    {
      state: 'waiting',
      detail: expect.stringContaining(`quiet hours ${quietHours.from}–${quietHours.to} in UTC, until`),
    },
  ])
  expect(await readFallbacks(ctx, short)).toMatchObject([
    { state: 'expired', detail: 'the message would have expired before the quiet hours ended' },
  ])
})

test('who is in the control group of a message gets no SMS, and the others that of their variant', async () => {
  const variants = [
    { name: 'A', share: 50, fallback: { content: 'Sale' } },
    { name: 'B', share: 50, fallback: { content: 'Now' } },
  ]
  const id = await sendWithSms(ctx, phones, {}, { variants, control: 30 })
  const rows = await settleAll(ctx, id)
  const sent = new Map(providers.record.list({ provider: 'sms' }).map(({ token, payload }) => [token, payload]))
  for (const { user_id: userId, state, detail } of rows) {
    const place = assignVariant({ variants, control: 30 }, id, userId)
    if (place.kind === 'control') {
      expect([state, detail]).toEqual(['refused', 'the user is in the control group of this message'])
    } else {
      const texts = { A: 'Sale', B: 'Now' } as Record<string, string>
      expect(state).toBe('sent')
      expect(JSON.stringify(sent.get(`+${userId}`))).toContain(place.kind === 'tested' ? texts[place.variant] : '?')
    }
  }
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['refused', 'sent']))
})

test('an SMS waits for the winner', async () => {
  const variants = [
    { name: 'A', share: 50, fallback: { content: 'Sale' } },
    { name: 'B', share: 50 },
  ]
  const winner = { by: 'opened', after: '1h', testShare: 50 }
  const id = await sendWithSms(ctx, phones, {}, { variants, winner })
  const isOther = (userId: string) =>
    assignVariant({ variants, winner: { ...winner, otherwise: 'A' } }, id, userId).kind === 'others'
  await whileSending(ctx, () =>
    until(
      () => readFallbacks(ctx, id),
      (rows) => rows.every(({ state, detail, user_id }) => (isOther(user_id) ? detail !== null : state === 'sent')),
    ),
  )
  const waiting = (await readFallbacks(ctx, id)).filter(({ state }) => state === 'waiting')
  expect(waiting.map(({ user_id }) => user_id)).toEqual(phones.filter(isOther))
})
