import { expect, test } from 'vitest'
import { createTestApp, createTestStore } from '../../../../test/helpers/test-store.ts'
import { addInstallation, readCounters, readEvents } from './events.test-support.ts'
import { trackEvent } from './track-event.ts'

const store = await createTestStore()
test('works', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  console.log(await trackEvent(ctx, { userId: 'sara', eventName: 'Add', eventData: { a: 1, value: 3 } }))
  console.log(await trackEvent(ctx, { userId: 'omid', eventName: 'Add', eventData: { a: 'x' } }))
  console.log(await trackEvent(ctx, { userId: 'omid', eventName: 'Add', eventData: { a: 'x' } }))
  console.log(await readEvents(ctx), await readCounters(ctx), phone)
})
