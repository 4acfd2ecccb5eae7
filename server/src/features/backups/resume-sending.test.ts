import { leaveMessage } from '@peyk/test/connection.ts'
import { silentLog } from '@peyk/test/database/test-store.ts'
import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, it } from 'vitest'
import type { OutwardContext } from '#base/context.ts'
import { settleCancelled } from '../deliveries/control/settle-cancelled.ts'
import { clearExpiredInboxes } from '../deliveries/inbox/clear-expired-inboxes.ts'
import { getMessage } from '../deliveries/read/get-message.ts'
import { listRecalled } from '../deliveries/recall/list-recalled.ts'
import { recallMessage } from '../deliveries/recall/recall-message.ts'
import { sendByQuery } from '../messages/send/send-by-query.ts'
import { countWaiting } from './count-waiting.ts'
import { resumeSending } from './resume-sending.ts'

const { providers, store, external, createApp, startDispatcher } = await createDelivery()
const services = { store, log: silentLog, now: () => new Date(), external }

let ctx: OutwardContext
let devices: TestDevice[]

beforeEach(async () => {
  ctx = (await createApp()) as OutwardContext
  devices = await addDevices(ctx, providers, 'fcm', 3, `restored-${ctx.app.id}`)
})

const recallOf = async (id: string) => (await getMessage(ctx, { id })).recall

/** A message that three devices have, recalled while nothing can be sent, as a backup has it. */
async function leaveRecalled({ isListed }: { isListed: boolean }): Promise<string> {
  const sending = startDispatcher()
  const { id } = await sendByQuery(ctx, { content: 'Wrong price', target: {} } as never)
  await until(
    () => getMessage(ctx, { id }),
    ({ states }) => states.sent === devices.length,
  )
  await sending.stop()
  await recallMessage(ctx, { id }, 0)
  if (isListed) await listAll()
  expect(await recallOf(id)).toEqual({ cleared: 0, notReachable: 0, waiting: 3 })
  await store.query(
    sql`insert into restores (backup_made_at, restored_at) values (now() - interval '1 hour', clock_timestamp())`,
  )
  return id
}

async function listAll(): Promise<void> {
  await settleCancelled(services)
  await listRecalled(services)
}

/** Sends again, with the jobs that belong to it, until every device of the message has taken it away. */
async function expectCleared(id: string): Promise<void> {
  const sending = startDispatcher()
  await listAll()
  await until(
    () => recallOf(id),
    (recall) => recall?.waiting === undefined,
  )
  await sending.stop()
  expect(await recallOf(id)).toEqual({ cleared: 3, notReachable: 0 })
}

describe.each(['send', 'discard'] as const)('peyk resume --%s', (waiting) => {
  it('keeps a recall whose devices are still to be told', async () => {
    const id = await leaveRecalled({ isListed: true })
    expect(await resumeSending(services, { waiting })).toEqual({ messages: 0, webhookCalls: 0 })
    expect(await recallOf(id)).toEqual({ cleared: 0, notReachable: 0, waiting: 3 })
    await expectCleared(id)
  })

  it('keeps a recall whose devices are not listed yet', async () => {
    const id = await leaveRecalled({ isListed: false })
    await resumeSending(services, { waiting })
    await expectCleared(id)
  })

  it.each([true, false])('keeps a recall that was held back for days (listed: %s)', async (isListed) => {
    const id = await leaveRecalled({ isListed })
    await store.query(sql`
      update messages set expires_at = now() - interval '2 days', recalled_at = now() - interval '2 days' where id = ${id}`)
    await store.query(sql`update recall_batches set expires_at = now() - interval '1 day' where message_id = ${id}`)
    await clearExpiredInboxes(services)
    await resumeSending(services, { waiting })
    await expectCleared(id)
  })
})

it('counts recalls apart from what waits in inboxes', async () => {
  const before = await countWaiting(services)
  await leaveMessage(ctx, devices[0]?.installationId as string)
  const id = await leaveRecalled({ isListed: true })
  const { inInbox, recalls } = await countWaiting(services)
  expect([inInbox - before.inInbox, recalls - before.recalls]).toEqual([1, 1])
  await resumeSending(services, { waiting: 'discard' })
  expect(await countWaiting(services)).toMatchObject({ recalls: before.recalls + 1 })
  await expectCleared(id)
  expect(await countWaiting(services)).toMatchObject({ inInbox: 0, recalls: before.recalls })
})
