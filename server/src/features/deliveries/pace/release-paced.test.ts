import type { AnyNotification } from '@peyk/contract'
import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { openStore } from '#base/store/store.ts'
import { explainMessage } from '../../explain/explain-message.ts'
import { startScheduled } from '../../messages/schedule/start-scheduled.ts'
import { notifyUsers } from '../../messages/send/notify-users.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { cancelMessage } from '../control/cancel-message.ts'
import { pauseMessage } from '../control/pause-message.ts'
import { resumeAllSending } from '../control/resume-all-sending.ts'
import { resumeMessage } from '../control/resume-message.ts'
import { stopAllSending } from '../control/stop-all-sending.ts'
import { wakeBatches } from '../control/wake-batches.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { previewSend } from '../dry-run/preview-send.ts'
import { listDue } from '../fallback/claim-store.ts'
import { getMessage } from '../read/get-message.ts'
import { releasePaced } from './release-paced.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()

let ctx: Context
const running = new Set<Dispatcher>()

beforeEach(async () => {
  ctx = await createApp()
})

afterEach(async () => {
  providers.faults.clear()
  await Promise.all([...running].map((dispatcher) => dispatcher.stop()))
  running.clear()
  // What waits for its turn would be looked at by the tests that follow.
  await store.query(sql`delete from message_paces`)
})

function run(options: Parameters<typeof startDispatcher>[0] = {}): Dispatcher {
  const dispatcher = startDispatcher(options)
  running.add(dispatcher)
  return dispatcher
}

const hello = { content: 'Hello', notification: { title: 'Hello' } }

async function sendToAll(count: number, perMinute: number, more: Partial<AnyNotification> = {}): Promise<string> {
  const devices = await addDevices(ctx, providers, 'fcm', count)
  const users = devices.map(({ userId }) => userId)
  const { id } = (await sendToUsers(ctx, { ...hello, users, throttle: { perMinute }, ...more })) as { id: string }
  return id
}

/** How many installations are due, and how many wait for their turn. */
async function countWork(messageId: string): Promise<{ due: number; waiting: number }> {
  const [row] = await store.query<{ due: number; waiting: number }>(sql`
    select coalesce(sum(cardinality(installation_nos)) filter (where paced_from is null), 0)::int as due,
      coalesce(sum(cardinality(installation_nos)) filter (where paced_from is not null), 0)::int as waiting
    from delivery_batches where app_id = ${ctx.app.id} and message_id = ${messageId}`)
  return row as { due: number; waiting: number }
}

/** As if nobody had looked for an hour. */
async function restAnHour(messageId: string): Promise<void> {
  await store.query(sql`
    update message_paces set next_at = peyk_now() - interval '1 hour'
    where app_id = ${ctx.app.id} and message_id = ${messageId}`)
}

/** What was released is taken by somebody. */
async function takeDue(messageId: string): Promise<void> {
  await store.query(sql`
    update delivery_batches set lease_holder = gen_random_uuid(), attempts = attempts + 1, available_at = peyk_now() + interval '1 hour'
    where app_id = ${ctx.app.id} and message_id = ${messageId} and paced_from is null`)
}

const release = () => releasePaced({ store })

describe('a message with a throttle', () => {
  it.each([
    [600, 20, 5],
    [60, 20, 1],
    [1, 20, 1],
    [119, 20, 1],
    [1_000_000, 20, 20],
  ])('of %d a minute to %d saves up no more than %d', async (perMinute, count, released) => {
    const id = await sendToAll(count, perMinute)
    expect(await countWork(id)).toEqual({ due: 0, waiting: count })
    await restAnHour(id)
    await release()
    expect(await countWork(id)).toEqual({ due: released, waiting: count - released })
    await release()
    expect(await countWork(id)).toEqual({ due: released, waiting: count - released })
  })

  it('moves on by exactly what went', async () => {
    const id = await sendToAll(20, 6)
    const readNext = async () => {
      const [row] = await store.query<{ at: Date }>(
        sql`select next_at as at from message_paces where message_id = ${id}`,
      )
      return row?.at.getTime() as number
    }
    const before = await readNext()
    await release()
    expect((await readNext()) - before).toBeGreaterThanOrEqual(10_000)
    expect(await countWork(id)).toEqual({ due: 1, waiting: 19 })
  })

  it('releases nothing more while what was released is not taken', async () => {
    const id = await sendToAll(20, 600)
    await restAnHour(id)
    await release()
    await restAnHour(id)
    await release()
    expect(await countWork(id)).toEqual({ due: 5, waiting: 15 })
    await takeDue(id)
    await restAnHour(id)
    await release()
    expect(await countWork(id)).toEqual({ due: 10, waiting: 10 })
  })

  it('waits while it is paused, and does not burst when it is resumed', async () => {
    const id = await sendToAll(20, 600)
    expect(await pauseMessage(ctx, { id })).toMatchObject({ paused: true, waiting: 20 })
    await restAnHour(id)
    await release()
    expect(await countWork(id)).toEqual({ due: 0, waiting: 20 })
    await resumeMessage(ctx, { id })
    await restAnHour(id)
    await release()
    expect(await countWork(id)).toEqual({ due: 5, waiting: 15 })
  })

  it('waits while all sending of the app is stopped', async () => {
    const id = await sendToAll(20, 600)
    await stopAllSending(ctx)
    await restAnHour(id)
    await release()
    expect(await countWork(id)).toEqual({ due: 0, waiting: 20 })
    await resumeAllSending(ctx)
    await release()
    expect(await countWork(id)).toEqual({ due: 5, waiting: 15 })
  })

  it('is cancelled as any other', async () => {
    const id = await sendToAll(20, 600)
    expect(await cancelMessage(ctx, { id })).toEqual({ id, count: 20, inFlight: 0, handedOver: 0 })
    await restAnHour(id)
    await release()
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'cancelled', progress: { cancelled: 20, waiting: 0 } })
    expect(await store.query(sql`select from message_paces where message_id = ${id}`)).toEqual([])
  })

  it('goes on only at its pace when a provider takes pushes again', async () => {
    const id = await sendToAll(20, 600)
    await store.query(sql`
      update delivery_batches set attempts = 1, paced_from = peyk_now() + interval '1 hour' where message_id = ${id}`)
    await restAnHour(id)
    await release()
    expect(await countWork(id)).toEqual({ due: 0, waiting: 20 })
    await wakeBatches(ctx, { provider: 'fcm' })
    await restAnHour(id)
    await release()
    expect(await countWork(id)).toEqual({ due: 5, waiting: 15 })
  })

  it('says its pace, and how long it takes', async () => {
    const throttle = { perMinute: 600 }
    const id = await sendToAll(20, 600)
    expect(await getMessage(ctx, { id })).toMatchObject({ throttle, progress: { perMinute: 600, etaSeconds: 2 } })
    expect(JSON.stringify(await explainMessage(ctx, { id, user: 'fcm-19' }))).toContain('It waits for its turn')
    const sent = { ...hello, target: {}, throttle: { perMinute: 2 } }
    const preview = await previewSend(ctx, { sent, product: 'message', to: 'group' })
    expect(preview).toMatchObject({ count: 20, takesSeconds: 570, faults: [] })
    const short = await previewSend(ctx, { sent: { ...sent, ttl: 300 }, product: 'message', to: 'group' })
    expect(short.faultCodes).toEqual([{ code: 'too-slow', count: 10 }])
  })

  it('says how long it takes by how much is taken, when others leave it less than its pace', async () => {
    const id = await sendToAll(400, 600)
    const eta = async () => (await getMessage(ctx, { id })).progress.etaSeconds
    const letPass = (seconds: number) =>
      store.query(sql`
        update message_paces set next_at = peyk_now() - interval '1 hour', measured_from = measured_from - make_interval(secs => ${seconds})
        where message_id = ${id}`)
    expect(await eta()).toBe(40)
    // Five go every 4 seconds, where 40 might.
    for (let round = 0; round < 4; round++) {
      await letPass(4)
      await release()
      await takeDue(id)
    }
    expect(await countWork(id)).toEqual({ due: 20, waiting: 380 })
    const slow = (await eta()) as number
    expect(slow).toBeGreaterThan(200)
    expect(slow).toBeLessThan(2_000)
    // A pause is no slowness: what is measured begins with the next that go.
    await letPass(3_600)
    await release()
    expect(await eta()).toBe(40)
  })

  it('that was scheduled begins at its pace when it is due', async () => {
    const id = await sendToAll(3, 1, { sendAt: Date.now() + 3_600_000 })
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'scheduled', throttle: { perMinute: 1 } })
    await store.query(
      sql`update scheduled_messages set due_at = peyk_now(), available_at = peyk_now() where id = ${id}`,
    )
    await startScheduled(ctx)
    expect(await countWork(id)).toEqual({ due: 0, waiting: 3 })
    await release()
    expect(await countWork(id)).toEqual({ due: 1, waiting: 2 })
  })

  it('expires where its turn does not come', async () => {
    const id = await sendToAll(20, 1)
    await store.query(sql`update messages set expires_at = peyk_now() where id = ${id}`)
    await store.query(sql`
      update delivery_batches set expires_at = peyk_now(), available_at = peyk_now() where message_id = ${id}`)
    run()
    const { reasons, states } = await until(
      () => getMessage(ctx, { id }),
      ({ progress }) => progress.waiting === 0,
    )
    expect(reasons.expired + states.sent).toBe(20)
    expect(reasons.expired).toBeGreaterThanOrEqual(19)
  })
})

describe('while it is sent', () => {
  it.runIf(isThorough)(
    'reaches each installation of a group once, never faster than its pace, by four processes',
    async () => {
      await addDevices(ctx, providers, 'fcm', 150)
      await addDevices(ctx, providers, 'apns', 60)
      await addDevices(ctx, providers, 'webpush', 30)
      const workers = Array.from({ length: 4 }, () => openStore(store.url, { poolSize: 4 }))
      for (const own of workers) run({ store: own })
      try {
        const startedAt = Date.now()
        const { id, count } = await sendByQuery(ctx, { ...hello, target: {}, throttle: { perMinute: 6_000 } })
        expect(count).toBe(240)
        const { states } = await until(
          () => getMessage(ctx, { id }),
          ({ progress }) => progress.waiting === 0,
        )
        expect(states).toMatchObject({ sent: 240, ended: 0 })
        const pushes = providers.record.list({ messageId: id })
        expect(new Set(pushes.map(({ token }) => token)).size).toBe(240)
        const perSecond = 100
        const early = pushes.filter(({ at }, index) => at - startedAt < ((index + 1 - perSecond) / perSecond) * 1_000)
        expect(early).toEqual([])
      } finally {
        await Promise.all([...running].map((dispatcher) => dispatcher.stop()))
        await Promise.all(workers.map((own) => own.drain().then(() => own.close())))
      }
    },
  )

  it.runIf(isThorough)('tries again at its pace, too', async () => {
    providers.faults.set('fcm', [{ match: { first: 3 }, status: 503, retryAfter: 1 }])
    const id = await sendToAll(6, 6_000)
    run()
    const { states } = await until(
      () => getMessage(ctx, { id }),
      ({ progress }) => progress.waiting === 0,
    )
    expect(states).toMatchObject({ sent: 6, ended: 0 })
    await until(
      () => store.query(sql`select from message_paces where message_id = ${id}`),
      (rows) => rows.length === 0,
    )
  })

  it('goes to a group by notifyUsers, and to users by an array, each element at its own pace', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 3)
    run()
    const throttle = { perMinute: 60_000 }
    const [one, two] = (await notifyUsers(ctx, [
      { user: devices[0]?.userId as string, ...hello, throttle },
      { user: devices[1]?.userId as string, ...hello },
    ])) as { id: string }[] as [{ id: string }, { id: string }]
    const group = (await notifyUsers(ctx, { target: {}, ...hello, throttle })) as { id: string; count: number }
    for (const [id, count] of [
      [one.id, 1],
      [two.id, 1],
      [group.id, 3],
    ] as const) {
      const { states } = await until(
        () => getMessage(ctx, { id }),
        ({ progress }) => progress.waiting === 0,
      )
      expect(states.sent).toBe(count)
    }
  })

  it('does not hold up what is sent to the same user afterwards', async () => {
    const id = await sendToAll(2, 1)
    await restAnHour(id)
    await release()
    await takeDue(id)
    run()
    const later = (await sendToUsers(ctx, { ...hello, user: 'fcm-1' })) as { id: string }
    await until(
      () => getMessage(ctx, { id: later.id }),
      ({ state }) => state === 'sent',
    )
    expect(await countWork(id)).toEqual({ due: 1, waiting: 1 })
  })
})

describe('an SMS instead', () => {
  it('waits until the devices of its user had their turn, and then for its delay', async () => {
    const fallback = { content: 'Hello', delay: 0 }
    const id = await sendToAll(2, 1, { fallback })
    const due = async () =>
      (await listDue(store, { perApp: 10, inFlight: new Map() }, new Date())).map(({ userId }) => userId)
    expect(await due()).toEqual([])
    await release()
    expect(await due()).toHaveLength(1)
    await store.query(sql`update messages set body = jsonb_set(body, '{fallback,delay}', '600') where id = ${id}`)
    await takeDue(id)
    await restAnHour(id)
    await release()
    expect(await countWork(id)).toEqual({ due: 2, waiting: 0 })
    expect(await due()).toHaveLength(1)
  })
})
