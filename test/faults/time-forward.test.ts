import { StoreClock } from '@peyk/server/base/store/clock/store-clock.ts'
import { createMember } from '@peyk/server/features/accounts/members/create-member.ts'
import { findSession } from '@peyk/server/features/accounts/sessions/find-session.ts'
import { openSession } from '@peyk/server/features/accounts/sessions/open-session.ts'
import type { Dispatcher } from '@peyk/server/features/deliveries/dispatch/dispatcher.ts'
import { getMessage } from '@peyk/server/features/deliveries/read/get-message.ts'
import { forwardTime } from '@peyk/server/features/demo/forward-time.ts'
import { sendByQuery } from '@peyk/server/features/messages/send/send-by-query.ts'
import { afterEach, expect, it } from 'vitest'
import { addDevices, createDelivery } from '../helpers/delivery.ts'
import { until } from '../helpers/runner/until.ts'

/** Time that passes at once, for a demonstration. */

const { providers, store, createApp, startDispatcher } = await createDelivery()
let dispatcher: Dispatcher | undefined
afterEach(() => dispatcher?.stop())

it('what would have ended ends, what is sent then goes out, and nobody is signed out', async () => {
  const clock = new StoreClock(store, () => new Date())
  await clock.measure()
  const ctx = { ...(await createApp()), now: clock.now }
  for (const provider of ['fcm', 'apns', 'webpush'] as const) await addDevices(ctx, providers, provider, 2)
  const { id: memberId } = await createMember(ctx, { email: 'sara@shop.example', role: 'admin' })
  const { key } = await openSession(ctx, { memberId, browser: '', byLink: false })
  const done = (id: string) =>
    until(
      () => getMessage(ctx, { id }),
      ({ progress }) => progress.waiting === 0,
    )
  const before = await sendByQuery(ctx, { target: {}, content: 'Before', ttl: 86_400 })

  await forwardTime(store, 400 * 86_400)
  await clock.measure()
  dispatcher = startDispatcher()
  expect((await done(before.id)).reasons).toMatchObject({ expired: 6 })
  expect(providers.record.list({ messageId: before.id })).toEqual([])

  // Their tokens are signed by the real time: the simulated providers check it.
  const after = await sendByQuery(ctx, { target: {}, content: 'After', ttl: 86_400 })
  expect((await done(after.id)).states).toMatchObject({ sent: 6 })
  const ttls = providers.record.list({ messageId: after.id, provider: 'webpush' }).map(({ headers }) => headers.ttl)
  for (const ttl of ttls) expect(Number(ttl)).toBeGreaterThan(80_000)
  expect(await findSession(ctx, { key })).toMatchObject({ memberId })
})
