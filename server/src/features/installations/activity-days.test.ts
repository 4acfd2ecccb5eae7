import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { findBroken } from '@peyk/test/invariants.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { connectInstallation } from './connections/connect-installation.ts'
import { registerInstallation } from './register/register-installation.ts'
import { updateInstallation } from './register/update-installation.ts'
import { unregisterInstallation } from './uninstalls/unregister-installation.ts'

const store = await createTestStore()
const DAY = 86_400_000

/** One for all tests: writers of one store have one clock. */
const clock = { at: 0 }

async function setUp(): Promise<{ ctx: Context }> {
  clock.at = Date.UTC(2026, 10, 10, 12)
  return { ctx: await createTestApp(store, { at: () => new Date(clock.at) }) }
}

const readDays = (ctx: Context) =>
  store.query(sql`
    select day::text, platform, sum(installs)::int as installs, sum(visits)::int as visits,
      sum(active_installations)::int as active, sum(active_users)::int as users, sum(uninstalls)::int as uninstalls,
      sum(churned)::int as churned
    from activity_days where app_id = ${ctx.app.id} group by 1, 2 order by 1, 2`)

const quiet = { installs: 0, visits: 0, active: 0, users: 0, uninstalls: 0, churned: 0 }

async function expectSound() {
  expect(await findBroken(store)).toEqual([])
}

it('counts an installation as active once a day, and its user once for all of theirs', async () => {
  const { ctx } = await setUp()
  const { ctx: other } = await setUp()
  const phone = await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
  const page = await registerInstallation(ctx, { deviceType: 'web', userId: 'sara' })
  await registerInstallation(ctx, { deviceType: 'tizen', isGuest: true })
  await registerInstallation(other, { deviceType: 'ios', userId: 'sara' })
  await updateInstallation(ctx, { id: phone.id, body: { launchCount: 7 } })
  await updateInstallation(ctx, { id: phone.id, body: { clientVersion: '2.0' } })
  clock.at += DAY
  await updateInstallation(ctx, { id: page.id, body: { launchCount: 2 } })
  await updateInstallation(ctx, { id: phone.id, body: { launchCount: 8 } })
  await updateInstallation(ctx, { id: phone.id, body: { launchCount: 8 } })
  expect(await readDays(ctx)).toEqual([
    { ...quiet, day: '2026-11-10', platform: 'android', installs: 1, visits: 2, active: 1, users: 1 },
    { ...quiet, day: '2026-11-10', platform: 'other', installs: 1, visits: 1, active: 1, users: 1 },
    { ...quiet, day: '2026-11-10', platform: 'web', installs: 1, visits: 1, active: 1 },
    { ...quiet, day: '2026-11-11', platform: 'android', visits: 1, active: 1 },
    { ...quiet, day: '2026-11-11', platform: 'web', visits: 1, active: 1, users: 1 },
  ])
  expect(await readDays(other)).toMatchObject([{ platform: 'ios', installs: 1, users: 1 }])
  await expectSound()
})

it('counts many that come together exactly', async () => {
  const { ctx } = await setUp()
  const phones = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      registerInstallation(ctx, { deviceType: 'android', userId: `user-${index % 20}` }),
    ),
  )
  clock.at += DAY
  await Promise.all(
    [2, 3].flatMap((launchCount) => phones.map(({ id }) => updateInstallation(ctx, { id, body: { launchCount } }))),
  )
  expect(await readDays(ctx)).toEqual([
    { ...quiet, day: '2026-11-10', platform: 'android', installs: 60, visits: 60, active: 60, users: 20 },
    { ...quiet, day: '2026-11-11', platform: 'android', visits: 120, active: 60, users: 20 },
  ])
  await expectSound()
})

it('counts visits on the days on which a device says they were', async () => {
  const { ctx } = await setUp()
  const installDate = clock.at - 3 * DAY
  const { id } = await registerInstallation(ctx, { deviceType: 'ios', installDate, launchTime: installDate })
  await Promise.all(
    [2, 3, 4].map((launchCount) =>
      updateInstallation(ctx, { id, body: { launchCount, launchTime: installDate + (launchCount - 2) * DAY } }),
    ),
  )
  expect(await readDays(ctx)).toMatchObject([
    { day: '2026-11-07', installs: 1, visits: 2, active: 1, users: 1 },
    { day: '2026-11-08', installs: 0, visits: 1, active: 1, users: 1 },
    { day: '2026-11-09', installs: 0, visits: 1, active: 1, users: 1 },
  ])
})

it('counts a connection as a visit', async () => {
  const { ctx } = await setUp()
  const { id } = await registerInstallation(ctx, { deviceType: 'web', userId: 'sara' })
  clock.at += DAY
  const line = () => ({ holder: randomUUID(), connectionId: randomUUID(), isClean: false })
  await connectInstallation(ctx, { installationId: id, userId: 'sara', ...line() })
  await connectInstallation(ctx, { installationId: id, userId: 'sara', ...line() })
  await expect(connectInstallation(ctx, { installationId: id, userId: 'omid', ...line() })).rejects.toThrow()
  expect((await readDays(ctx)).at(-1)).toEqual({
    ...quiet,
    day: '2026-11-11',
    platform: 'web',
    visits: 2,
    active: 1,
    users: 1,
  })
})

it('counts who leaves and who comes back', async () => {
  const { ctx } = await setUp()
  const phone = await registerInstallation(ctx, { deviceType: 'ios', userId: 'sara' })
  const page = await registerInstallation(ctx, { deviceType: 'web', userId: 'sara' })
  clock.at += DAY
  await unregisterInstallation(ctx, { id: phone.id })
  await unregisterInstallation(ctx, { id: page.id })
  clock.at += DAY
  await updateInstallation(ctx, { id: phone.id, body: { clientVersion: '2' } })
  const line = { holder: randomUUID(), connectionId: randomUUID(), isClean: false }
  await connectInstallation(ctx, { installationId: page.id, userId: 'sara', ...line })
  expect((await readDays(ctx)).slice(2)).toEqual([
    { ...quiet, day: '2026-11-11', platform: 'ios', uninstalls: 1 },
    { ...quiet, day: '2026-11-11', platform: 'web', uninstalls: 1, churned: 1 },
    { ...quiet, day: '2026-11-12', platform: 'ios', installs: 1 },
    { ...quiet, day: '2026-11-12', platform: 'web', installs: 1, visits: 1, active: 1, users: 1 },
  ])
  await expectSound()
})

it('counts an uninstall on the day it is noted for, also when midnight passes meanwhile', async () => {
  const { ctx } = await setUp()
  clock.at -= DAY
  const { id } = await registerInstallation(ctx, { deviceType: 'ios', userId: 'sara' })
  const midnight = Date.UTC(2026, 10, 11)
  let looks = 0
  await unregisterInstallation({ ...ctx, now: () => new Date(midnight - 1 + looks++) }, { id })
  const [day] = await store.query(sql`
    select (uninstalled_at at time zone 'UTC')::date::text as day from uninstalls where app_id = ${ctx.app.id}`)
  expect(await readDays(ctx)).toContainEqual({ ...quiet, ...day, platform: 'ios', uninstalls: 1, churned: 1 })
})
