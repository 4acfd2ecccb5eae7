import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { beforeEach, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { registerInstallation } from '../register/register-installation.ts'
import { connectInstallation } from './connect-installation.ts'
import { findHolders } from './connections-store.ts'
import { disconnectInstallation } from './disconnect-installation.ts'

const store = await createTestStore()
const holder = randomUUID()
let ctx: Context

beforeEach(async () => {
  ctx = await createTestApp(store)
})

async function register(userId: string) {
  const { id } = await registerInstallation(ctx, { deviceType: 'web', userId })
  const connect = (options: { userId?: string; isClean?: boolean; connectionId?: string } = {}) =>
    connectInstallation(ctx, {
      ...{ installationId: id, userId, holder, connectionId: randomUUID(), isClean: true },
      ...options,
    })
  return { id, connect }
}

async function readState() {
  const [installations, connections, days] = await Promise.all([
    store.query<{
      launch_count: number
      has_session: boolean
    }>(sql`select launch_count, d.has_session from installations i
      join installation_details d using (app_id, installation_no) where i.app_id = ${ctx.app.id} order by installation_no`),
    store.query<{ connection_id: string }>(
      sql`select connection_id, is_open, unacknowledged from connections where app_id = ${ctx.app.id} order by installation_no`,
    ),
    store.query(
      sql`select sum(visits)::int as visits, sum(active_users)::int as users from activity_days where app_id = ${ctx.app.id}`,
    ),
  ])
  return { installations, connections, days }
}

it('lets a crowd in together, each as if it came alone', async () => {
  const crowd = await Promise.all(Array.from({ length: 60 }, (_, index) => register(`user-${index}`)))
  const before = (await readState()).installations.map(({ launch_count }) => launch_count)
  const ids = crowd.map(() => randomUUID())
  const answers = await Promise.all(
    crowd.map(({ connect }, index) => connect({ connectionId: ids[index] as string, isClean: index % 2 === 0 })),
  )
  expect(new Set(answers.map(({ installationNo }) => installationNo)).size).toBe(60)
  expect(answers.map(({ hadSession, unacknowledged, replaced }) => [hadSession, unacknowledged, replaced])).toEqual(
    Array(60).fill([false, [], undefined]),
  )
  const { installations, connections, days } = await readState()
  expect(installations).toEqual(
    before.map((count, index) => ({ launch_count: count + 1, has_session: index % 2 === 1 })),
  )
  expect(connections.map(({ connection_id }) => connection_id)).toEqual(ids)
  expect(days).toEqual([{ visits: before.reduce((sum, count) => sum + count, 0) + 60, users: 60 }])
})

it('answers each of a mixed crowd for itself', async () => {
  const [fresh, taken, foreign] = [await register('a'), await register('b'), await register('c')]
  const first = randomUUID()
  await taken.connect({ connectionId: first })
  const unknown = connectInstallation(ctx, {
    ...{ installationId: randomUUID(), userId: 'a', holder, connectionId: randomUUID(), isClean: true },
  })
  const answers = await Promise.allSettled([
    fresh.connect(),
    taken.connect(),
    foreign.connect({ userId: 'a' }),
    unknown,
  ])
  expect(answers).toMatchObject([
    { value: { unacknowledged: [], replaced: undefined } },
    // Nobody knows what was on its way over the line that is taken over.
    { value: { unacknowledged: undefined, replaced: { holder, connectionId: first } } },
    { reason: { status: 404 } },
    { reason: { status: 404 } },
  ])
  expect((await readState()).connections).toHaveLength(2)
})

it('remembers what an ended connection left unacknowledged, for the next', async () => {
  const phone = await register('sara')
  const left = [randomUUID(), randomUUID()]
  const connectionId = randomUUID()
  const { installationNo } = await phone.connect({ connectionId, isClean: false })
  const end = (unacknowledged: string[]) =>
    disconnectInstallation(ctx, { installationId: phone.id, installationNo, connectionId, unacknowledged })
  await end(left)
  await end([])
  expect(await phone.connect()).toMatchObject({ hadSession: true, unacknowledged: left, replaced: undefined })
  await end(left)
  expect((await readState()).connections).toMatchObject([{ unacknowledged: [] }])
})

it('keeps the order of one installation that comes and goes at once', async () => {
  const phone = await register('sara')
  const ids = Array.from({ length: 5 }, () => randomUUID())
  const { installationNo } = await phone.connect({ connectionId: ids[0] as string })
  const comings = ids.slice(1).map((connectionId, index) => {
    const before = { installationId: phone.id, installationNo, connectionId: ids[index] as string, unacknowledged: [] }
    return Promise.all([disconnectInstallation(ctx, before), phone.connect({ connectionId })])
  })
  const answers = await Promise.all(comings)
  expect(answers.map(([, { replaced }]) => replaced)).toEqual(Array(4).fill(undefined))
  expect((await readState()).connections.map(({ connection_id }) => connection_id)).toEqual([ids[4]])
})

it('knows who holds the connection of each, and of whom nobody does', async () => {
  const [here, gone] = [await register('sara'), await register('omid')]
  const connectionId = randomUUID()
  const [{ installationNo }, left] = await Promise.all([here.connect(), gone.connect({ connectionId })])
  const mayReturn = true
  await disconnectInstallation(ctx, {
    ...{ installationId: gone.id, installationNo: left.installationNo, connectionId, unacknowledged: [], mayReturn },
  })
  const asked = [installationNo, left.installationNo, 2 ** 40].map((no) => ({ appId: ctx.app.id, installationNo: no }))
  expect(await findHolders(store, asked)).toEqual(new Map([[installationNo, holder]]))
})
