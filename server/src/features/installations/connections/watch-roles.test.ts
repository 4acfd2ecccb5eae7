import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { expect, it, onTestFinished } from 'vitest'
import type { Role } from '#base/config.ts'
import { listAlerts } from '../../accounts/alerts/list-alerts.ts'
import { createRoleWatch, takeOverdue } from './watch-roles.ts'

const store = await createTestStore()

const join = (roles: Role[] | null) =>
  store.query(sql`insert into connection_holders values (${randomUUID()}, now() + interval '1 hour', ${roles})`)

it('a role that nobody has is an alert in every app until a process has it', async () => {
  const apps = [await createTestApp(store), await createTestApp(store)]
  const subjects = async () =>
    (await Promise.all(apps.map((app) => listAlerts(app)))).map((alerts) =>
      alerts.map(({ kind, subject }) => `${kind} ${subject}`).toSorted(),
    )
  const watches = [1, 2].map(() =>
    createRoleWatch({ store, now: () => new Date(), log: silentLog }, { roleMissingMs: 100 }),
  )
  onTestFinished(() => Promise.all(watches.map((watch) => watch.stop())).then(() => undefined))
  await join(['api', 'index'])
  for (const watch of watches) watch.start()
  const both = ['role-missing connection', 'role-missing worker']
  await poll(subjects).toEqual([both, both])
  const [alert] = (await listAlerts(apps[0] as (typeof apps)[0])).filter(({ subject }) => subject === 'worker')
  expect(alert?.text).toBe(
    'No running process has the role worker: nothing is sent. Start one with PEYK_ROLES=worker, or without PEYK_ROLES.',
  )
  await join(['worker'])
  await poll(subjects).toEqual([['role-missing connection'], ['role-missing connection']])
  // A process of a version that does not store its roles has all of them.
  await join(null)
  await poll(subjects).toEqual([[], []])
})

it('a restart raises no alert, and one that somebody cleared comes again after an hour', () => {
  const missing = new Map()
  const at = (nowMs: number, ...present: Role[]) =>
    takeOverdue(missing, ['api', 'connection', 'index', ...present], { nowMs, roleMissingMs: 60_000 })
  expect([at(0), at(59_999), at(60_000, 'worker'), at(60_001), at(120_000)]).toEqual([[], [], [], [], []])
  expect([at(120_001), at(120_002), at(3_720_000), at(3_720_001)]).toEqual([['worker'], [], [], ['worker']])
})
