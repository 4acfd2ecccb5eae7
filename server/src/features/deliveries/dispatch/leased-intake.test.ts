import { randomUUID } from 'node:crypto'
import { silentLog } from '@peyk/test/database/test-store.ts'
import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { addWorkTaker, type LeasedWork } from '../../messages/accept/leased-work.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { getMessage } from '../read/get-message.ts'
import { LeasedIntake } from './leased-intake.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()

afterEach(() => providers.faults.clear())

const hour = 3_600_000

async function send(ctx: Context, user: string): Promise<string> {
  return ((await sendToUsers(ctx, { user, content: 'Hello', notification: { title: 'Hello' } })) as { id: string }).id
}

function findBatches(ctx: Context) {
  return store.query<{
    batch_no: number
    holder: string | null
    attempts: number
    available_at: Date
    is_due: boolean
  }>(sql`
    select batch_no, lease_holder as holder, attempts, available_at, available_at <= peyk_now() as is_due
    from delivery_batches where app_id = ${ctx.app.id} order by batch_no`)
}

function isSent(ctx: Context, id: string) {
  return until(
    () => getMessage(ctx, { id }),
    ({ states }) => states.sent === 1,
  )
}

/** Somebody in this process who takes everything, until `stop` is called. */
function take(lease: { holder: string; ms: number }, hasRoomFor: () => boolean = () => true) {
  const taken: LeasedWork[] = []
  const stop = addWorkTaker(store, {
    offerLease: () => ({ lease, returningMs: 0, hasRoomFor, take: (work) => void taken.push(...work) }),
  })
  return { taken, stop }
}

describe('a message to one user', () => {
  it('is leased to the process that accepts it as soon as it is stored, and sent by it', async () => {
    const ctx = await createApp()
    const [device] = await addDevices(ctx, providers, 'fcm', 1)
    providers.faults.set('fcm', [{ delayMs: hour }])
    const dispatcher = startDispatcher({ durations: { deliveryLeaseMs: hour } })
    const id = await send(ctx, device?.userId as string)
    expect(await findBatches(ctx)).toMatchObject([{ holder: expect.any(String), attempts: 1, is_due: false }])
    await until(
      () => providers.record.list({ messageId: id }),
      ({ length }) => length === 1,
    )
    expect(await findBatches(ctx)).toMatchObject([{ attempts: 1 }])
    providers.faults.clear()
    await dispatcher.stop()
  })

  it('stays leased as long as the provider has not answered', async () => {
    const deliveryLeaseMs = 5_000
    const ctx = await createApp()
    const [device] = await addDevices(ctx, providers, 'fcm', 1)
    providers.faults.set('fcm', [{ delayMs: hour }])
    const dispatcher = startDispatcher({ durations: { deliveryLeaseMs } })
    const id = await send(ctx, device?.userId as string)
    const [first] = await findBatches(ctx)
    await until(
      () => findBatches(ctx),
      ([batch]) => Number(batch?.available_at) > Number(first?.available_at) + deliveryLeaseMs,
    )
    expect(await findBatches(ctx)).toMatchObject([{ holder: first?.holder, attempts: 1 }])
    expect(providers.record.list({ messageId: id })).toHaveLength(1)
    providers.faults.clear()
    await dispatcher.stop()
  })

  it('carries what was known of its receiver and its app when it was accepted', async () => {
    const ctx = await createApp()
    const [device] = await addDevices(ctx, providers, 'apns', 1)
    await changeApp(ctx, { name: 'Renamed' })
    const { taken, stop } = take({ holder: randomUUID(), ms: hour })
    const id = await send(ctx, device?.userId as string)
    stop()
    const [batch] = await findBatches(ctx)
    expect(taken).toMatchObject([
      {
        batchNo: batch?.batch_no,
        draft: { id },
        app: { label: ctx.app.label, name: 'Renamed' },
        recipients: 1,
        installations: [
          {
            installation_no: device?.installationNo,
            installation_id: device?.installationId,
            device_type: 'ios',
            user_id: device?.userId,
            device_token: device?.token,
            token_status: 'ALLOWED',
            is_gone: false,
            is_connected: false,
          },
        ],
      },
    ])
  })

  it('is sent by another process when the one that accepted it has died', async () => {
    const ctx = await createApp()
    const [device] = await addDevices(ctx, providers, 'fcm', 1)
    const { stop } = take({ holder: randomUUID(), ms: 300 })
    const id = await send(ctx, device?.userId as string)
    stop()
    const dispatcher = startDispatcher()
    await isSent(ctx, id)
    expect(providers.record.list({ messageId: id })).toHaveLength(1)
    await dispatcher.stop()
  })

  it('is left to whoever looks for work where there is no room for its app', async () => {
    const ctx = await createApp()
    const [device] = await addDevices(ctx, providers, 'fcm', 1)
    const { taken, stop } = take({ holder: randomUUID(), ms: hour }, () => false)
    await send(ctx, device?.userId as string)
    stop()
    expect(taken).toEqual([])
    expect(await findBatches(ctx)).toMatchObject([{ holder: null, attempts: 0, is_due: true }])
  })

  it('is given back by a process that stops before it has sent it', async () => {
    const ctx = await createApp()
    const [device] = await addDevices(ctx, providers, 'fcm', 1)
    const intake = new LeasedIntake({
      store,
      log: silentLog,
      lease: { holder: randomUUID(), ms: hour },
      returningMs: () => 0,
      hasRoom: () => true,
      hasRoomFor: () => true,
      send: () => Promise.reject(new Error('It was stopped.')),
    })
    intake.start()
    const id = await send(ctx, device?.userId as string)
    await intake.stop()
    expect(await findBatches(ctx)).toMatchObject([{ holder: null, attempts: 0, is_due: true }])
    const dispatcher = startDispatcher()
    await isSent(ctx, id)
    await dispatcher.stop()
  })
})
