import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { trackBulk } from '../../events/track/track-bulk.ts'
import { trackEvent } from '../../events/track/track-event.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { startScheduled } from '../../messages/schedule/start-scheduled.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { recordClientBatch } from '../../receipts/record-client-batch.ts'
import { countUsage } from '../../statistics/usage/count-usage.ts'
import { readUsage } from '../../statistics/usage/read-usage.ts'
import { clearAlert } from '../alerts/clear-alert.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { findQuotaFault } from './check-quota.ts'
import { recordInstallations } from './counts-store.ts'
import type { Quotas } from './quota.ts'
import { keepQuotaStates } from './quota-states.ts'
import { readQuotaStates } from './read-quota-states.ts'
import { setQuotas } from './set-quotas.ts'
import { smsLeftToday } from './sms-left-today.ts'
import { tallyOf } from './usage-tally.ts'
import { warnOfQuotas } from './warn-of-quotas.ts'
import { writeUsage } from './write-usage.ts'

const store = await createTestStore()

/** What a process does every few seconds. */
async function round(): Promise<void> {
  await tallyOf(store).write(
    (tally) => writeUsage(store, tally),
    async () => keepQuotaStates(store, await readQuotaStates(store)),
  )
}

async function appWith(quotas: Quotas): Promise<Context> {
  const ctx = await createTestApp(store)
  await setQuotas(ctx, quotas)
  await round()
  return ctx
}

const send = (ctx: Context, user = 'sara') => sendToUsers(ctx, { user, content: 'Hello' })
const device = (ctx: Context, userId = 'sara') => registerInstallation(ctx, { deviceType: 'android', userId })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.code,
  )

describe('quotas', () => {
  it('refuse what does not fit, at once in the process that counts, and say when they begin anew', async () => {
    const ctx = await appWith({ messages: 2 })
    await send(ctx)
    await send(ctx)
    const error = await send(ctx).then(
      () => undefined,
      (fault) => fault,
    )
    const resetsAt = (await readUsage(ctx, {})).quotas[0]?.resetsAt as number
    expect(error).toMatchObject({
      code: 'quota-exceeded',
      status: 429,
      details: { quota: 'messages', limit: 2, used: 2, resetsAt },
      message: expect.stringContaining("The app's quota of 2 messages a month is used up. It begins anew at "),
    })
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(3_600)
    await round()
    expect(await codeOf(send(ctx))).toBe('quota-exceeded')
    expect(await readUsage(ctx, {})).toMatchObject({ quotas: [{ quota: 'messages', limit: 2, used: 2, left: 0 }] })
    await setQuotas(ctx, { messages: 3 })
    await round()
    expect(await codeOf(send(ctx))).toBe('done')
    expect(await setQuotas(ctx, { messages: null })).toEqual({})
    await round()
    expect(await codeOf(send(ctx))).toBe('done')
  })

  it('are of one app, and cost others nothing', async () => {
    const [full, other] = [await appWith({ messages: 0 }), await createTestApp(store)]
    expect([await codeOf(send(full)), await codeOf(send(other))]).toEqual(['quota-exceeded', 'done'])
  })

  it('count the installations that a message goes to as deliveries, and refuse a group that does not fit', async () => {
    const ctx = await appWith({ deliveries: 4 })
    for (const user of ['sara', 'ali', 'mina']) await device(ctx, user)
    const everybody = () => sendByQuery(ctx, { target: {}, content: 'Hello' })
    expect(await everybody()).toMatchObject({ count: 3 })
    await expect(everybody()).rejects.toThrow(
      "The app's quota of 4 deliveries a month has 1 left, and this would add 3.",
    )
    await expect(sendToUsers(ctx, { user: '*', content: 'Hello' })).rejects.toMatchObject({
      code: 'quota-exceeded',
      details: { adds: 3 },
    })
    expect(await send(ctx)).toMatchObject({ count: 1 })
    expect(await codeOf(send(ctx))).toBe('quota-exceeded')
    await round()
    expect((await readUsage(ctx, {})).total).toMatchObject({ messages: 2, deliveries: 4 })
  })

  it('count what was undone as nothing', async () => {
    const ctx = await appWith({ deliveries: 100 })
    await expect(
      store.transaction(async (tx) => {
        await send({ ...ctx, tx })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(tallyOf(store).of(ctx.app.id, 'messages')).toBe(0)
    await store.transaction(async (tx) => send({ ...ctx, tx }))
    expect(tallyOf(store).of(ctx.app.id, 'messages')).toBe(1)
  })

  it('let what was scheduled before go, and count it then', async () => {
    let at = Date.now()
    const ctx = await createTestApp(store, { at: () => new Date(at) })
    await setQuotas(ctx, { messages: 1 })
    await round()
    const sendAt = at + 60_000
    await sendToUsers(ctx, { user: 'sara', content: 'Later', sendAt })
    expect(await codeOf(send(ctx))).toBe('done')
    expect(await codeOf(sendToUsers(ctx, { user: 'sara', content: 'Too late', sendAt }))).toBe('quota-exceeded')
    at += 120_000
    await store.query(sql`update scheduled_messages set available_at = peyk_now() where app_id = ${ctx.app.id}`)
    await startScheduled(ctx)
    await round()
    expect((await readUsage(ctx, {})).quotas).toMatchObject([{ used: 2, left: 0 }])
  })

  it('refuse events of back ends, and skip those of devices with a warning', async () => {
    const ctx = await appWith({ events: 3 })
    const { id } = await device(ctx)
    const track = () => trackEvent(ctx, { userId: 'sara', eventName: 'Seen' })
    await trackBulk(ctx, [
      { userId: 'sara', eventName: 'A' },
      { userId: 'sara', eventName: 'B' },
    ])
    expect(
      await codeOf(
        trackBulk(ctx, [
          { userId: 'sara', eventName: 'A' },
          { userId: 'sara', eventName: 'B' },
        ]),
      ),
    ).toBe('quota-exceeded')
    const batch = () =>
      recordClientBatch(ctx, { installationId: id, eventData: [{ type: 2, data: { id: 'one', eventName: 'Seen' } }] })
    expect(await batch()).toMatchObject({ n: 1, skipped: 0 })
    expect(await codeOf(track())).toBe('quota-exceeded')
    expect(await batch()).toMatchObject({
      ...{ n: 0, skipped: 1 },
      warnings: [expect.stringContaining('quota of 3 events a month is used up')],
    })
    await round()
    expect((await readUsage(ctx, {})).total.events).toBe(3)
  })

  it('refuse new installations, and let known ones register again', async () => {
    const ctx = await appWith({ installations: 1 })
    const { id } = await device(ctx)
    await round()
    expect(await codeOf(device(ctx, 'ali'))).toBe('quota-exceeded')
    await recordInstallations(store, { appId: ctx.app.id, installations: 1, activeInstallations: 1 })
    await round()
    await expect(device(ctx, 'ali')).rejects.toMatchObject({
      code: 'quota-exceeded',
      details: { quota: 'installations', limit: 1 },
      retryAfterSeconds: 3_600,
    })
    expect(await codeOf(registerInstallation(ctx, { id, deviceType: 'android', userId: 'ali' }))).toBe('done')
    await countUsage(ctx)
    await round()
    expect(await readUsage(ctx, {})).toMatchObject({
      installations: 1,
      total: { newInstallations: 1, activeInstallations: 1 },
    })
  })

  it('bound the SMS of a month by those of its other days', async () => {
    const ctx = await appWith({ sms: 10 })
    await store.query(sql`
      insert into sms_days values (${ctx.app.id}, peyk_now()::date, 3), (${ctx.app.id}, date_trunc('month', peyk_now())::date - 1, 50)`)
    await round()
    expect(smsLeftToday(ctx, ctx.app.id)).toEqual({ limit: 10, left: 10 })
    expect((await readUsage(ctx, {})).quotas).toMatchObject([{ quota: 'sms', used: 3, left: 7 }])
    expect(smsLeftToday(await createTestApp(store), 0)).toBeUndefined()
  })

  it('begin anew with the month, before anything was read again', async () => {
    const ctx = await appWith({ messages: 0, events: 1 })
    await trackEvent(ctx, { userId: 'sara', eventName: 'Seen' })
    await round()
    const after = { ...ctx, now: () => new Date(ctx.now().getTime() + 32 * 86_400_000) }
    expect(findQuotaFault(ctx, 'events')).toBeDefined()
    expect(findQuotaFault(after, 'events')).toBeUndefined()
    expect(findQuotaFault(after, 'messages')).toBeDefined()
  })

  it('are set as whole numbers only', async () => {
    const ctx = await createTestApp(store)
    await expect(setQuotas(ctx, { events: 1.5 })).rejects.toThrow('"events": expected a whole number')
    await expect(setQuotas(ctx, { pushes: 1 } as Quotas)).rejects.toThrow('there is no such quota')
  })
})

describe('warnings of quotas', () => {
  const kinds = async (ctx: Context) => (await listAlerts(ctx)).map(({ kind, subject }) => `${kind} ${subject}`)
  const use = (ctx: Context, events: number) =>
    store.query(sql`
      insert into usage_days (app_id, day, events) values (${ctx.app.id}, peyk_now()::date, ${events})
      on conflict (app_id, day) do update set events = excluded.events`)

  it('come at 80 % and at all of it, once, and go when there is room', async () => {
    const ctx = await appWith({ events: 10, messages: 10 })
    await use(ctx, 7)
    await warnOfQuotas(ctx)
    expect(await kinds(ctx)).toEqual([])
    await use(ctx, 8)
    await warnOfQuotas(ctx)
    await warnOfQuotas(ctx)
    expect(await kinds(ctx)).toEqual(['quota-near events'])
    await use(ctx, 10)
    await warnOfQuotas(ctx)
    const [reached] = await listAlerts(ctx)
    expect(reached).toMatchObject({ kind: 'quota-reached', details: { quota: 'events', limit: 10 } })
    expect(reached?.text).toMatch(
      /^The quota of 10 events a month is used up: events are not stored until \d{4}-\d\d-01\./,
    )
    expect(await kinds(ctx)).toEqual(['quota-reached events'])
    await clearAlert(ctx, { id: reached?.id as string })
    await warnOfQuotas(ctx)
    expect(await kinds(ctx)).toEqual([])
    await setQuotas(ctx, { events: 11 })
    await use(ctx, 11)
    await warnOfQuotas(ctx)
    expect(await kinds(ctx)).toEqual([])
  })

  it('go when the quota is taken away', async () => {
    const ctx = await appWith({ events: 10 })
    await use(ctx, 10)
    await warnOfQuotas(ctx)
    expect(await kinds(ctx)).toEqual(['quota-reached events'])
    await setQuotas(ctx, { events: null })
    await warnOfQuotas(ctx)
    expect(await kinds(ctx)).toEqual([])
  })
})
