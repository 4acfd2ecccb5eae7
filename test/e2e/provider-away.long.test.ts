import type { Context } from '@peyk/server/base/context.ts'
import { listTroubles } from '@peyk/server/features/deliveries/progress/read-troubles.ts'
import { getMessage } from '@peyk/server/features/deliveries/read/get-message.ts'
import { explainMessage } from '@peyk/server/features/explain/explain-message.ts'
import { sendByQuery } from '@peyk/server/features/messages/send/send-by-query.ts'
import { readOverview } from '@peyk/server/features/statistics/overview/read-overview.ts'
import { expect, it } from 'vitest'
import { addDevices, createDelivery } from '../helpers/delivery.ts'
import { until } from '../helpers/runner/until.ts'

const { providers, external, createApp, startDispatcher } = await createDelivery()
const segment = { all: [{ name: 'deviceType', operator: 'include', value: ['android', 'ios'] }] }
const away = { ...external, simulated: { ...external.simulated, fcm: 'http://127.0.0.1:9' } } as typeof external

/** As somebody sees it who looks so much later. */
const minutesLater = (ctx: Context, minutes: number): Context => ({
  ...ctx,
  now: () => new Date(ctx.now().getTime() + minutes * 60_000),
})

it('a provider that cannot be reached is told with since when and why, and forgotten when it is back', async () => {
  const ctx = await createApp()
  await addDevices(ctx, providers, 'fcm', 3)
  await addDevices(ctx, providers, 'apns', 1)
  const dispatcher = startDispatcher({ external: away })
  const startedAt = ctx.now().getTime()
  const { id } = (await sendByQuery(ctx, { segment, content: 'Hello' })) as { id: string }
  const { progress } = await until(
    () => getMessage(ctx, { id }),
    (message) => message.progress.waitingFor !== undefined && message.states.sent === 1,
  )
  expect(progress).toMatchObject({ total: 4, settled: 1, waiting: 3 })
  expect(progress).not.toHaveProperty('etaSeconds')
  const [stall] = progress.waitingFor ?? []
  expect(stall).toMatchObject({ provider: 'fcm', reason: 'connection-refused' })
  expect(stall?.since).toBeGreaterThanOrEqual(startedAt)

  expect((await readOverview(ctx, {})).warnings).toEqual([])
  const { warnings, sending } = await readOverview(minutesLater(ctx, 3), {})
  expect(warnings).toEqual([{ kind: 'provider-failing', ...stall }])
  expect(sending[0]?.progress.waitingFor).toEqual([stall])
  const { installations } = await explainMessage(ctx, { id, user: 'fcm-0' })
  const texts = installations[0]?.story.map(({ text }) => text)
  expect(texts).toContain('fcm could not be reached: it refused the connection.')

  await dispatcher.stop()
  startDispatcher()
  await until(
    () => getMessage(ctx, { id }),
    ({ states }) => states.sent === 4,
  )
  await until(
    () => listTroubles(ctx, { before: ctx.now() }),
    (troubles) => troubles.length === 0,
  )
  expect((await readOverview(minutesLater(ctx, 3), {})).warnings).toEqual([])
})
