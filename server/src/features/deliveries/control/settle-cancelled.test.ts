import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { replaceGlobalCodes } from '../../promo/replace-global-codes.ts'
import { takeCodes } from '../../promo/take-codes.ts'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'
import { addMessageTo } from '../progress/counters.test-support.ts'
import { getMessage } from '../read/get-message.ts'
import { cancelMessage } from './cancel-message.ts'
import { pauseMessage } from './pause-message.ts'
import { resumeMessage } from './resume-message.ts'
import { settleCancelled } from './settle-cancelled.ts'

const store = await createTestStore()

it('gives back a code only when none of the installations it was taken for can have shown it', async () => {
  const ctx = await createTestApp(store)
  const appId = ctx.app.id
  await replaceGlobalCodes(ctx, { file: Readable.from(['A\nB\nC\nD\nE\nF\nG\nH\n']) })
  const messageId = await addMessageTo(ctx, 10)
  const installationNos = new Map([
    [1, [11]], // cancelled by who had taken it
    [2, [21, 22]], // one of the two was sent
    [3, [31]], // in a batch that nobody had taken
    [4, [41]], // in a batch of a process that died
    [5, [51]], // in a batch that was tried without an answer
    [6, [61]], // no answer came
    [7, [71]], // waits in the inbox
  ])
  await store.transaction(async (tx) => {
    await takeCodes(tx, { appId, messageId, userNos: [...installationNos.keys()], installationNos })
    await takeCodes(tx, { appId, messageId, userNos: [8] })
    const end = { appId, messageId, at: new Date() }
    await advanceDeliveries(tx, [
      { ...end, installationNo: 11, state: 'ended', reason: 'cancelled' },
      { ...end, installationNo: 21, state: 'ended', reason: 'cancelled' },
      { ...end, installationNo: 22, state: 'sent', provider: 'fcm' },
      { ...end, installationNo: 61, state: 'ended', reason: 'unknown' },
      { ...end, installationNo: 71, state: 'queued', provider: 'connection', inInbox: true },
    ])
    for (const [number, holder, wasUnclear] of [
      [31, null, false],
      [41, randomUUID(), false],
      [51, null, true],
    ] as const)
      await tx.query(sql`
        insert into delivery_batches (app_id, message_id, lane, stream, installation_nos, lease_holder, was_unclear, available_at)
        values (${appId}, ${messageId}, 'group', 'fcm', ${[number]}::bigint[], ${holder}, ${wasUnclear}, now() - interval '1 minute')`)
  })
  await cancelMessage(ctx, { id: messageId })
  await settleCancelled(ctx)
  const left = await store.query<{ user_no: number }>(sql`
    select user_no from promo_given where app_id = ${appId} order by user_no`)
  expect(left.map(({ user_no }) => user_no)).toEqual([2, 4, 5, 6, 7, 8])
  expect(await store.query(sql`select code from promo_returned where app_id = ${appId} order by code`)).toHaveLength(2)
  expect(await store.query(sql`select from code_returns`)).toEqual([])
})

it('waits until nobody sends the message any more', async () => {
  const ctx = await createTestApp(store)
  const appId = ctx.app.id
  await replaceGlobalCodes(ctx, { file: Readable.from(['A\n']) })
  const messageId = await addMessageTo(ctx, 1, { sentTo: [11] })
  await store.transaction((tx) =>
    takeCodes(tx, { appId, messageId, userNos: [1], installationNos: new Map([[1, [11]]]) }),
  )
  const hold = sql`
    update delivery_batches set lease_holder = ${randomUUID()}, available_at = now() + interval '1 minute'
    where app_id = ${appId}`
  await store.query(hold)
  await store.transaction((tx) => cancelMessage({ ...ctx, tx }, { id: messageId }))
  await settleCancelled(ctx)
  const given = () => store.query(sql`select from promo_given where app_id = ${appId}`)
  expect(await given()).toHaveLength(1)
  await store.transaction(async (tx) => {
    await tx.query(sql`delete from delivery_batches where app_id = ${appId}`)
    const step = { appId, messageId, installationNo: 11, state: 'ended', reason: 'cancelled', at: new Date() } as const
    await advanceDeliveries(tx, [step])
  })
  await settleCancelled(ctx)
  expect(await given()).toEqual([])
})

it('ends what is in inboxes, which is counted as cancelled', async () => {
  const ctx = await createTestApp(store)
  const messageId = await addMessageTo(ctx, 40)
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1)
  const key = { appId: ctx.app.id, messageId, at: new Date() }
  await store.transaction((tx) =>
    advanceDeliveries(
      tx,
      numbers.map((installationNo) =>
        installationNo <= 10
          ? { ...key, installationNo, state: 'sent', provider: 'fcm' }
          : { ...key, installationNo, state: 'queued', provider: 'connection', inInbox: true },
      ),
    ),
  )
  expect((await getMessage(ctx, { id: messageId })).progress).toMatchObject({ settled: 40, waiting: 0, inInbox: 30 })
  expect(await cancelMessage(ctx, { id: messageId })).toEqual({ id: messageId, count: 30, inFlight: 0, handedOver: 10 })
  await settleCancelled(ctx)
  const { states, reasons, progress } = await getMessage(ctx, { id: messageId })
  expect([states, reasons]).toMatchObject([{ queued: 0, sent: 10, ended: 30 }, { cancelled: 30 }])
  expect(progress).toMatchObject({ cancelled: 30 })
  expect(progress).not.toHaveProperty('inInbox')
})

it('a message of which only inboxes are left is paused with them, and one of which nothing is left is not paused', async () => {
  const ctx = await createTestApp(store)
  const id = await addMessageTo(ctx, 30)
  const move = (state: 'queued' | 'delivered') =>
    store.transaction((tx) =>
      advanceDeliveries(
        tx,
        Array.from({ length: 30 }, (_, index) => {
          const key = { appId: ctx.app.id, messageId: id, installationNo: index + 1, at: new Date() }
          return { ...key, state, provider: 'connection', ...(state === 'queued' && { inInbox: true }) }
        }),
      ),
    )
  await move('queued')
  expect(await pauseMessage(ctx, { id })).toEqual({ id, paused: true, waiting: 30, inFlight: 0 })
  expect(await getMessage(ctx, { id })).toMatchObject({ state: 'paused', progress: { paused: true, inInbox: 30 } })
  await resumeMessage(ctx, { id })
  await move('delivered')
  expect(await pauseMessage(ctx, { id })).toEqual({ id, paused: false, waiting: 0, inFlight: 0 })
  expect(await getMessage(ctx, { id })).toMatchObject({ state: 'sent' })
  expect(await store.query(sql`select paused_at from messages where id = ${id}`)).toEqual([{ paused_at: null }])
})
