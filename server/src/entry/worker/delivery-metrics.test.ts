import { randomUUID } from 'node:crypto'
import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { readOverdue } from '#features/deliveries/read/read-overdue.ts'
import { sendToUsers } from '#features/messages/send/send-to-users.ts'
import { addDeliveryMetrics } from './delivery-metrics.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()

test('metrics say what became of pushes, what waits, and who is held up', async () => {
  const ctx = await createApp()
  await addDevices(ctx, providers, 'fcm', 3)
  const send = (user: string) => sendToUsers(ctx, { user, content: 'Hello' })
  await send('fcm-0')
  await store.query(sql`update delivery_batches set available_at = available_at - interval '1 minute'`)
  const overdue = new Map((await readOverdue({ store })).map(({ lane, seconds }) => [lane, seconds]))
  expect(overdue.get('personal')).toBeGreaterThanOrEqual(60)
  expect(overdue.get('group')).toBe(0)

  const withoutWorker = new Registry()
  addDeliveryMetrics(withoutWorker, store, { deliveryFigures: undefined })
  expect(await withoutWorker.metrics()).toMatch(/^peyk_delivery_overdue_seconds\{lane="personal"\} [6-9]\d/m)

  const dispatcher = startDispatcher()
  const registry = new Registry()
  const worker = {
    get deliveryFigures() {
      return dispatcher.figures
    },
  }
  addDeliveryMetrics(registry, store, worker)
  const shows = (line: string) => poll(() => registry.metrics()).toContain(`${line}\n`)
  await shows('peyk_delivery_outcomes_total{provider="fcm",outcome="accepted"} 1')
  await shows('peyk_delivery_senders{provider="fcm",state="open"} 1')
  await shows('peyk_delivery_overdue_seconds{lane="personal"} 0')
  await shows('peyk_delivery_batches_held 0')
  await shows('peyk_delivery_results_waiting 0')

  providers.faults.set('fcm', [{ delayMs: 600_000 }])
  await send('fcm-1')
  await shows('peyk_delivery_in_flight{provider="fcm"} 1')
  await shows('peyk_delivery_batches_held 1')
  await store.query(
    sql`update delivery_batches set lease_holder = ${randomUUID()}, available_at = now() + interval '1 hour'`,
  )
  providers.faults.clear()
  await shows('peyk_delivery_leases_lost_total 1')

  providers.faults.set('fcm', [{ status: 401, reason: 'UNAUTHENTICATED' }])
  await send('fcm-2')
  await shows('peyk_delivery_senders{provider="fcm",state="paused"} 1')
  await shows('peyk_delivery_outcomes_total{provider="fcm",outcome="paused"} 1')
})
