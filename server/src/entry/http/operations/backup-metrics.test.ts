import { createTestServer } from '@peyk/test/service/test-server.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { roles } from '#base/config.ts'

const { store, baseUrl } = await createTestServer()

const read = async (path: string) => (await fetch(baseUrl + path)).text()
const readFigures = async () =>
  (await read('/metrics')).split('\n').filter((line) => /^peyk_(backup|sending)_/.test(line))

it('/metrics and /ready tell of the last backup, and of what a restore holds back', async () => {
  expect(JSON.parse(await read('/ready'))).toEqual({ status: 'ready', roles })
  expect(await readFigures()).toEqual([
    'peyk_backup_last_success_timestamp_seconds 0',
    'peyk_backup_last_failure_timestamp_seconds 0',
    'peyk_sending_held 0',
  ])
  const at = new Date('2026-03-01T00:00:00Z')
  await store.query(sql`
    insert into backups (is_scheduled, file, started_at, ended_at, fault)
    values (true, 'a', ${at}, ${at}, null), (false, 'b', ${at}, ${new Date(at.getTime() + 5_000)}, 'the disk is full')`)
  await store.query(sql`insert into restores (backup_made_at, restored_at) values (${at}, ${at})`)
  expect(await readFigures()).toEqual([
    `peyk_backup_last_success_timestamp_seconds ${at.getTime() / 1_000}`,
    `peyk_backup_last_failure_timestamp_seconds ${at.getTime() / 1_000 + 5}`,
    'peyk_sending_held 1',
  ])
  expect(JSON.parse(await read('/ready'))).toEqual({ status: 'ready', roles, sending: 'held' })
})
