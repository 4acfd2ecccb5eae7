import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import { expect, it } from 'vitest'
import { findCredentials } from '../../accounts/providers/find-credentials.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { resumeProvider } from '../provider-setup/resume-provider.ts'
import { getMessage } from '../read/get-message.ts'

const { providers, createApp, startDispatcher } = await createDelivery()

it.runIf(isThorough)('what is sent in the moment after a provider was resumed does not wait for minutes', async () => {
  const ctx = await createApp()
  await addDevices(ctx, providers, 'fcm', 1)
  const send = async () => ((await sendToUsers(ctx, { user: 'fcm-0', content: 'Hello' })) as { id: string }).id
  const isSent = (id: string) =>
    until(
      () => getMessage(ctx, { id }),
      ({ states }) => states.sent === 1,
    )
  const dispatcher = startDispatcher()
  providers.faults.set('fcm', [{ status: 401, reason: 'UNAUTHENTICATED' }])
  const first = await send()
  await until(
    () => findCredentials(ctx, { provider: 'fcm' }),
    (stored) => stored?.paused !== undefined,
  )
  providers.faults.clear()
  await resumeProvider(ctx, { provider: 'fcm' })
  const second = await send()
  await isSent(first)
  await isSent(second)
  expect(providers.record.list({ messageId: second })).toHaveLength(1)
  await dispatcher.stop()
})
