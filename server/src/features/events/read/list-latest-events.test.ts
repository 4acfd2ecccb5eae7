import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { expect, test } from 'vitest'
import { trackBulk } from '../track/track-bulk.ts'
import { trackEvent } from '../track/track-event.ts'
import { listLatestEvents } from './list-latest-events.ts'

const store = await createTestStore()
const hour = 3_600_000

test('what happened lately comes newest first, of this app alone', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  const now = Date.now()
  const track = (eventName: string, hours: number) =>
    trackEvent(ctx, { userId: 'sara', eventName, eventTime: now - hours * hour })
  await track('Older', 1)
  await track('LongAgo', 30)
  await track('Newest', 0)
  await track('LongAgo', 100)
  await trackEvent(other, { userId: 'sara', eventName: 'Other' })
  const from = new Date(now - 2 * hour)
  const names = (await listLatestEvents(ctx, { from, limit: 10 })).map(({ eventName }) => eventName)
  expect(names).toEqual(['Newest', 'Older'])
  expect(await listLatestEvents(ctx, { from, limit: 1 })).toHaveLength(1)
  expect(await listLatestEvents(await createTestApp(store), { from, limit: 1 })).toEqual([])
})

test('an app with very many names is asked for the usual ones', async () => {
  const ctx = await createTestApp(store)
  const eventNames = Array.from({ length: 510 }, (_, index) => `Name${index}`)
  await trackBulk(
    ctx,
    [...eventNames, 'Name509'].map((eventName) => ({ userId: 'sara', eventName })),
  )
  const found = await listLatestEvents(ctx, { from: new Date(Date.now() - hour), limit: 1_000 })
  expect(new Set(found.map(({ eventName }) => eventName)).size).toBe(500)
  expect(found.filter(({ eventName }) => eventName === 'Name509')).toHaveLength(2)
})
