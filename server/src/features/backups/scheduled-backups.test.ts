import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestApp, createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { checkBackup } from '#base/store/backup/check-backup.ts'
import { openStore } from '#base/store/store.ts'
import { listAlerts } from '../accounts/alerts/list-alerts.ts'
import { alertOverdue } from './alert-overdue.ts'
import { createBackupLoop } from './backup-loop.ts'
import { makeBackupFolder } from './backups.test-support.ts'
import { makeScheduledBackup } from './make-scheduled-backup.ts'
import { readBackupTimes } from './read-backup-times.ts'

const store = await createTestStore()
const ctx = await createTestApp(store)
const folder = await makeBackupFolder()
const HOUR = 3_600_000
const plan = { everyMs: 24 * HOUR, keep: 3, folder: join(folder, 'scheduled') }

/** Each a second later, because the names of the files are times. */
let seconds = 0
const start = Date.now()
const services = { store, log: silentLog, now: () => new Date(start + 1_000 * ++seconds) }

const listFiles = () => readdir(plan.folder).then((names) => names.toSorted())
const letPass = (hours: number) =>
  store.query(
    sql`update backups set started_at = started_at - make_interval(hours => ${hours}), ended_at = ended_at - make_interval(hours => ${hours})`,
  )

beforeEach(async () => {
  await store.query(sql`delete from backups`)
  await store.query(sql`delete from alerts`)
  await rm(plan.folder, { recursive: true, force: true })
})

it('are made when they are due, and only then', async () => {
  await makeScheduledBackup(services, plan)
  const first = await listFiles()
  expect(first).toEqual([expect.stringMatching(/^peyk-\d{8}T\d{6}Z\.backup$/)])
  await checkBackup(join(plan.folder, first[0] as string))
  await makeScheduledBackup(services, plan)
  await letPass(23)
  await makeScheduledBackup(services, plan)
  expect(await listFiles()).toEqual(first)
  await letPass(1)
  await makeScheduledBackup(services, plan)
  expect(await listFiles()).toHaveLength(2)
})

it('are made by one process of several', async () => {
  const other = openStore(store.url, { poolSize: 3 })
  onTestFinished(() => other.close())
  await Promise.all([
    makeScheduledBackup(services, plan),
    makeScheduledBackup({ ...services, store: other }, plan),
    makeScheduledBackup(services, plan),
  ])
  expect(await listFiles()).toHaveLength(1)
  await makeScheduledBackup({ ...services, store: other }, plan)
  expect(await listFiles()).toHaveLength(1)
})

it('are kept as many as wanted, and nothing else of the folder is touched but what a killed process left', async () => {
  await makeScheduledBackup(services, plan)
  await writeFile(join(plan.folder, 'mine.backup'), 'mine')
  await writeFile(join(plan.folder, 'peyk-20200101T000000Z.backup.0123abcd.part'), 'left')
  const made = (await listFiles()).filter((name) => name.startsWith('peyk-'))
  for (let round = 0; round < 4; round++) {
    await letPass(24)
    await makeScheduledBackup(services, plan)
  }
  const files = await listFiles()
  expect(files).toHaveLength(4)
  expect(files).toContain('mine.backup')
  expect(files).not.toContain(made[0])
})

it('that fail are told to the operators of every app, tried again later, and settled by the next one that is made', async () => {
  const other = await createTestApp(store)
  const blocked = { ...plan, folder: join(folder, 'a-file') }
  await writeFile(blocked.folder, '')
  await makeScheduledBackup(services, blocked)
  for (const app of [ctx, other])
    expect(await listAlerts(app)).toMatchObject([
      { kind: 'backup-failed', subject: '', text: expect.stringContaining('a-file') },
    ])
  const { failedAt, succeededAt } = await readBackupTimes({ store })
  expect([failedAt, succeededAt]).toEqual([expect.any(Date), undefined])
  await makeScheduledBackup(services, plan)
  await expect(listFiles()).rejects.toThrow('ENOENT')
  await letPass(1)
  await makeScheduledBackup(services, plan)
  expect(await listFiles()).toHaveLength(1)
  expect(await listAlerts(ctx)).toEqual([])
  expect((await readBackupTimes({ store })).succeededAt).toEqual(expect.any(Date))
})

it('that are overdue are told, but not by a process that has just started', async () => {
  await makeScheduledBackup(services, plan)
  const tell = (runningMs: number) => alertOverdue(services, { everyMs: plan.everyMs, runningMs })
  expect(await tell(48 * HOUR)).toBe(false)
  await letPass(37)
  expect(await tell(1 * HOUR)).toBe(false)
  expect(await tell(13 * HOUR)).toBe(true)
  expect(await listAlerts(ctx)).toMatchObject([{ kind: 'backup-failed', subject: 'overdue' }])
  await makeScheduledBackup(services, plan)
  expect(await listAlerts(ctx)).toEqual([])
})

it('are made by the loop, which gives up one that is under way when it stops', async () => {
  const loop = createBackupLoop(services, plan)
  loop.start()
  await poll(() => listFiles().catch(() => [])).toHaveLength(1)
  await loop.stop()
  expect(await listAlerts(ctx)).toEqual([])

  await letPass(24)
  const lock = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const holding = store.transaction(async (tx) => {
    await tx.query(sql`lock table users in access exclusive mode`)
    isLocked.resolve()
    await lock.promise
  })
  await isLocked.promise
  const second = createBackupLoop(services, plan)
  second.start()
  const isWaiting = () => store.query(sql`select 1 from pg_locks where not granted and relation = 'users'::regclass`)
  await poll(isWaiting).toHaveLength(1)
  const stopped = second.stop()
  lock.resolve()
  await Promise.all([stopped, holding])
  expect((await listFiles()).filter((name) => name.endsWith('.part'))).toEqual([])
  expect(await store.query(sql`select 1 from backups where fault is not null`)).toEqual([])
  expect(await listAlerts(ctx)).toEqual([])
})
