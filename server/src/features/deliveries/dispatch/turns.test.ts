import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { until } from '@peyk/test/runner/until.ts'
import { expect, it } from 'vitest'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { getMessage } from '../read/get-message.ts'

const { providers, createApp, startDispatcher } = await createDelivery()

it('a throttled message ends at its pace beside a large campaign of the same app, and says how long it takes', async () => {
  const ctx = await createApp()
  await addDevices(ctx, providers, 'fcm', 8_000)
  await addDevices(ctx, providers, 'fcm', 150, 'few')
  const users = Array.from({ length: 150 }, (_, index) => `few-${index}`)
  const progressOf = async (id: string) => (await getMessage(ctx, { id })).progress
  const large = await sendByQuery(ctx, { target: {}, content: 'Hello' })
  startDispatcher({ pushesPerSecond: 500 })
  await until(
    () => progressOf(large.id),
    ({ settled }) => settled > 0,
  )
  const segment = { all: [{ name: 'userId', operator: 'include', value: users }] }
  const few = await sendByQuery(ctx, { segment, content: 'Hello', throttle: { perMinute: 3_000 } })
  await until(
    () => progressOf(few.id),
    ({ waiting, total }) => total === 150 && waiting === 0,
  )
  expect((await progressOf(large.id)).waiting).toBeGreaterThan(0)
})
