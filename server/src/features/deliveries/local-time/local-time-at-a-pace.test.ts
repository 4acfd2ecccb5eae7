import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { findBroken } from '@peyk/test/invariants.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterEach, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import type { Accepted } from '../../messages/accept/draft-message.ts'
import { notifyUsers } from '../../messages/send/notify-users.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { releasePaced } from '../pace/release-paced.ts'
import { finishMessages } from '../progress/finish-messages.ts'
import { getMessage } from '../read/get-message.ts'
import { clockIn, passHours, setZones, startAndCut } from './local-time.test-support.ts'
import { releaseDue } from './release-due.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()
let dispatcher: Dispatcher | undefined

afterEach(() => dispatcher?.stop())

/** Two users who are due in two hours, and one in five. */
async function setUp() {
  const ctx = await createApp()
  await addDevices(ctx, providers, 'fcm', 2, 'here')
  await addDevices(ctx, providers, 'fcm', 1, 'west')
  await setZones(ctx, { 'here-0': 'UTC', 'here-1': 'UTC', 'west-0': 'Etc/GMT+3' })
  const message = {
    ...{ notification: { title: 'Hello' }, ttl: 7_200, throttle: { perMinute: 1 } },
    sendAt: { local: clockIn(2), late: 'skip' as const },
  }
  return { ctx, message }
}

interface Waiting {
  lane: string
  stream: string
  isPaced: boolean
  count: number
}

async function readBatches(ctx: Context, id: string): Promise<Waiting[]> {
  return store.query<Waiting>(sql`
    select lane, stream, paced_from is not null as "isPaced", cardinality(installation_nos) as count
    from delivery_batches where app_id = ${ctx.app.id} and message_id = ${id} order by lane, batch_no`)
}

it.each([
  ['a group', 'group/fcm', 'fcm'],
  ['named users', 'personal/mixed', 'mixed'],
])('waits for the time of each user, and then for its turn: to %s', async (to, waitingFor, stream) => {
  const { ctx, message } = await setUp()
  const { id } = (await (to === 'a group'
    ? sendByQuery(ctx, { ...message, target: {}, content: 'Hello' } as never)
    : notifyUsers(ctx, { ...message, users: ['here-0', 'here-1', 'west-0'] }))) as Accepted
  await startAndCut(ctx)
  const ofWest = { lane: 'later', stream: waitingFor, isPaced: false, count: 1 }
  expect(await readBatches(ctx, id)).toEqual([{ ...ofWest, count: 2 }, ofWest])
  expect(await releasePaced({ store })).toBe(false)
  await passHours(ctx, 2)
  expect(await releaseDue(store)).toBe(true)
  expect(await readBatches(ctx, id)).toEqual([{ lane: 'group', stream, isPaced: true, count: 2 }, ofWest])
  await store.query(sql`update message_paces set next_at = peyk_now() where app_id = ${ctx.app.id}`)
  await releasePaced({ store })
  expect(await readBatches(ctx, id)).toEqual([
    { lane: 'group', stream, isPaced: true, count: 1 },
    { lane: 'group', stream, isPaced: false, count: 1 },
    ofWest,
  ])
  dispatcher = startDispatcher()
  await until(
    () => getMessage(ctx, { id }),
    ({ states }) => states.sent === 1,
  )
  await passHours(ctx, 3)
  const { states, reasons } = await until(
    async () => {
      await store.query(sql`update message_paces set next_at = peyk_now() where app_id = ${ctx.app.id}`)
      return getMessage(ctx, { id })
    },
    ({ progress }) => progress.waiting === 0,
  )
  // The one whose turn had not come ended with its user’s own two hours.
  expect([states.sent, reasons.expired]).toEqual([2, 1])
  await finishMessages(ctx)
  expect(await findBroken(store)).toEqual([])
})
