import { join } from 'node:path'
import { readBackup } from '@peyk/server/base/store/backup/read-backup.ts'
import { readMigrations } from '@peyk/server/base/store/backup/read-schema.ts'
import { listMigrations } from '@peyk/server/base/store/migrate.ts'
import { createPartitions } from '@peyk/server/base/store/partitions.ts'
import type { Store } from '@peyk/server/base/store/store.ts'
import { createEmptyStore } from '@peyk/server/features/backups/backups.test-support.ts'
import { restoreBackup } from '@peyk/server/features/backups/restore-backup.ts'
import { getMessage } from '@peyk/server/features/deliveries/read/get-message.ts'
import { trackEvent } from '@peyk/server/features/events/track/track-event.ts'
import { sendToUsers } from '@peyk/server/features/messages/send/send-to-users.ts'
import sql, { raw } from 'sql-template-tag'
import { expect, it } from 'vitest'
import { silentLog, testExternal } from '../helpers/database/test-store.ts'
import { findBroken } from '../helpers/invariants.ts'

/**
 * The demo of an earlier version, with messages under way: loaded with the schema of then, and brought up to date by the
 * migrations since. A new migration is tried on it; when a version is released, its own backup takes the place of this one.
 */
const file = join(import.meta.dirname, '013-detail-codes.backup')

async function countRows(): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let table = ''
  for await (const part of readBackup(file)) {
    if (part.kind === 'table') table = part.table.name
    if (part.kind === 'table-end') counts.set(table, part.rows)
  }
  return counts
}

const restored: Store = await createEmptyStore()
await restoreBackup({ store: restored }, { file })
const [app] = await restored.query<{ app_id: number; label: string }>(sql`select app_id, label from apps`)
const ctx = {
  app: { id: app?.app_id as number, label: app?.label as string },
  store: restored,
  log: silentLog,
  external: testExternal,
  now: () => new Date(),
}

it('loses no row of an earlier version', async () => {
  expect(await readMigrations(restored)).toEqual(await listMigrations())
  const before = await countRows()
  expect([...before.values()].filter((count) => count > 0).length).toBeGreaterThan(35)
  const after = new Map<string, number>()
  for (const table of before.keys()) {
    const [row] = await restored.query<{ count: number }>(raw(`select count(*)::int as count from ${table}`))
    after.set(table, row?.count as number)
  }
  // The restore is noted there itself.
  expect(after.get('restores')).toBe(1)
  expect(new Map(after).set('restores', 0)).toEqual(new Map(before).set('restores', 0))
  expect(await findBroken(restored)).toEqual([])
})

it('goes on with the data of an earlier version', async () => {
  await createPartitions(restored, new Date())
  const [waiting] = await restored.query<{ message_id: string }>(
    sql`select message_id from delivery_batches where lane = 'personal' limit 1`,
  )
  const old = await getMessage(ctx, { id: waiting?.message_id as string })
  expect(old.progress.waiting).toBeGreaterThan(0)
  const sent = (await sendToUsers(ctx, { user: 'user-1', content: 'Still there?' })) as { id: string; count: number }
  expect(sent.count).toBe(6)
  expect((await getMessage(ctx, { id: sent.id })).progress.waiting).toBe(6)
  await trackEvent(ctx, { userId: 'user-1', eventName: 'Returned' } as Parameters<typeof trackEvent>[1])
  expect(await findBroken(restored)).toEqual([])
})
