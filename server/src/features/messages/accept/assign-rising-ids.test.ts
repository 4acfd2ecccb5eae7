import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { timeOfId } from '#base/ids.ts'
import { addInstallation } from '../installation-rows.test-support.ts'
import { notifyUsers } from '../send/notify-users.ts'
import { sendByQuery } from '../send/send-by-query.ts'
import { sendToUsers } from '../send/send-to-users.ts'
import type { Accepted } from './draft-message.ts'

const store = await createTestStore()

/** Processes on one database whose clocks are so far apart: each has its own batches, too. */
async function setUp(...clocksMs: number[]) {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara')
  return clocksMs.map((aheadMs): Context => {
    const own = Object.create(ctx.store) as Context['store']
    return { ...ctx, store: own, now: () => new Date(Date.now() + aheadMs) }
  }) as [Context, Context, ...Context[]]
}

const send = async (ctx: Context, more: object = {}) =>
  ((await sendToUsers(ctx, { user: 'sara', content: 'hello', ...more })) as Accepted).id

describe('the ids of an app', () => {
  it('rise in the order of acceptance, whatever the clocks of the processes say', async () => {
    const processes = await setUp(0, 5_000, -5_000)
    const ids: string[] = []
    for (let count = 0; count < 30; count++) ids.push(await send(processes[(count * 7) % 3] as Context))
    expect(ids).toEqual([...new Set(ids)].sort())
  })

  it('rise from one kind of send to the next: to users, to everybody, to a group, a list', async () => {
    const [here, ahead] = await setUp(0, 5_000)
    const ids: string[] = []
    for (let round = 0; round < 3; round++) {
      ids.push(await send(ahead))
      ids.push((await sendByQuery(here, { target: {}, content: 'all' })).id)
      ids.push(await send(here, { user: '*' }))
      ids.push(((await notifyUsers(ahead, { target: {}, content: 'all' })) as Accepted).id)
      const list = [1, 2, 3].map((number) => ({ user: number === 2 ? '*' : 'sara', content: `${number}` }))
      ids.push(...((await sendToUsers(here, list)) as Accepted[]).map(({ id }) => id))
      const named = [1, 2, 3].map((number) => ({ user: 'sara', content: `${number}` }))
      ids.push(...((await sendToUsers(here, named)) as Accepted[]).map(({ id }) => id))
    }
    expect(ids).toEqual([...new Set(ids)].sort())
  })

  it('rise within a transaction that holds an idempotency key', async () => {
    const [here, ahead] = await setUp(0, 5_000)
    const first = await send(ahead)
    const second = await store.transaction((tx) => send({ ...here, tx }))
    expect(second > first).toBe(true)
  })

  it('of other apps do not matter: what a fast clock gave one app stays its own', async () => {
    const [, ahead] = await setUp(0, 3_600_000)
    const [here] = await setUp(0, 0)
    await send(ahead)
    const id = await send(here)
    expect(timeOfId(id).getTime()).toBeLessThanOrEqual(Date.now())
  })
})
