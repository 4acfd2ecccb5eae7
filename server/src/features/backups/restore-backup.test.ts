import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { createTestApp, createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import { makePng } from '@peyk/test/images.ts'
import { findBroken, writeCountedUsage } from '@peyk/test/invariants.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkBackup } from '#base/store/backup/check-backup.ts'
import { readMigrations, readNumbers, readSchema } from '#base/store/backup/read-schema.ts'
import { writeBackup } from '#base/store/backup/write-backup.ts'
import { applyMigration, listMigrations } from '#base/store/migrate.ts'
import { createPartitions } from '#base/store/partitions.ts'
import type { Store } from '#base/store/store.ts'
import { adoptUserEvents } from '../events/adoption/adopt-user-events.ts'
import { trackEvent } from '../events/track/track-event.ts'
import { ImageCache } from '../images/image-cache.ts'
import { storeImage } from '../images/store-image.ts'
import { addTags } from '../installations/tags/add-tags.ts'
import { sendToUsers } from '../messages/send/send-to-users.ts'
import { createEmptyStore, fillApp, makeBackupFolder, nextFile, readContents } from './backups.test-support.ts'
import { excludedTables } from './excluded-tables.ts'
import { makeBackup } from './make-backup.ts'
import { readRestoreHold } from './read-restore-hold.ts'
import { readSealed } from './read-sealed.ts'
import { restoreBackup } from './restore-backup.ts'

const store = await createTestStore()
const ctx = await createTestApp(store)
const folder = await makeBackupFolder()
const now = () => new Date()

const backUp = async (): Promise<string> => {
  const file = nextFile(folder)
  await makeBackup({ store, now }, { file, isScheduled: false })
  return file
}

const restore = async (file: string): Promise<Store> => {
  const restored = await createEmptyStore()
  await restoreBackup({ store: restored }, { file })
  return restored
}

beforeAll(async () => {
  await createPartitions(store, new Date())
  await fillApp(ctx)
  await writeCountedUsage(store)
  await adoptUserEvents({ store, log: silentLog })
})

describe('a backup', () => {
  it('is restored row by row, with the months, the schema and the numbers of where it came from', async () => {
    const before = await readContents(store)
    const restored = await restore(await backUp())
    expect(await readContents(restored)).toEqual(before)
    expect(Object.values(before).filter((sum) => !sum.startsWith('0 ')).length).toBeGreaterThan(15)
    expect(await readMigrations(restored)).toEqual(await listMigrations())
    expect(await readSchema(restored)).toEqual(await readSchema(store))
    const isOwn = ({ table }: { table: string }) => table === 'backups' || table === 'restores'
    const numbers = async (of: Store) => (await readNumbers(of)).filter((each) => !isOwn(each))
    expect(await numbers(restored)).toEqual(await numbers(store))
    expect(await findBroken(restored)).toEqual([])
  })

  it('goes on where it was left: new rows get new numbers, and go to their month', async () => {
    const restored = await restore(await backUp())
    const own = { ...ctx, store: restored }
    const readBatches = () =>
      restored.query<{ no: number }>(sql`select batch_no as no from delivery_batches order by 1`)
    const before = await readBatches()
    await sendToUsers(own, { user: 'sara', content: 'After' })
    const after = await readBatches()
    expect(after.length).toBe(before.length + 1)
    expect(after.at(-1)?.no).toBeGreaterThan(before.at(-1)?.no as number)
    const [other] = await restored.query<{ count: number }>(sql`select count(*) from messages_other`)
    expect(other?.count).toBe(0)
    await restored.drain()
  })

  it('holds back what waited in it, from the commit on in which it is there', async () => {
    expect(await readRestoreHold({ store })).toBeUndefined()
    const file = await backUp()
    const { header } = await checkBackup(file)
    expect(await readRestoreHold({ store: await restore(file) })).toMatchObject({
      backupMadeAt: new Date(header.madeAt),
    })
  })

  it('can be read by its owner only, and nothing unfinished is left beside it', async () => {
    const file = await backUp()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('leaves out sessions, links and processes, and nothing else', async () => {
    const { header } = await checkBackup(await backUp())
    const { tables } = await readSchema(store)
    const copied = header.tables.map(({ name }) => name)
    expect(tables.map(({ name }) => name).filter((name) => !copied.includes(name))).toEqual(excludedTables.toSorted())
  })

  it('is of one moment: whatever was answered before is in it, and its counters agree with its rows', async () => {
    const own = await createTestApp(store)
    const acknowledged: string[] = []
    let isOver = false
    const write = async (writer: number) => {
      for (let turn = 0; !isOver; turn++) {
        const id = `${writer}-${turn}`
        await trackEvent(own, { userId: `user-${writer}`, eventName: 'Load', eventData: { id } })
        if (turn % 5 === 0) await addTags(own, { userId: `user-${writer}`, tags: [id] })
        if (turn % 7 === 0) await sendToUsers(own, { user: 'sara', content: id })
        acknowledged.push(id)
      }
    }
    const writing = Promise.all([1, 2, 3, 4].map(write))
    await poll(() => acknowledged.length).toBeGreaterThan(50)
    const before = [...acknowledged]
    const file = await backUp()
    const atEnd = acknowledged.length
    isOver = true
    await writing
    expect(atEnd).toBeGreaterThan(before.length)
    const restored = await restore(file)
    const rows = await restored.query<{ id: string }>(
      sql`select data ->> 'id' as id from events where app_id = ${own.app.id} and name = 'Load'`,
    )
    const found = new Set(rows.map(({ id }) => id))
    expect(before.filter((id) => !found.has(id))).toEqual([])
    expect(rows.length).toBe(found.size)
    expect(await findBroken(restored)).toEqual([])
  })

  it.runIf(isThorough)('has images byte for byte, though their rows are longer than its frames', async () => {
    const content = makePng(1, 1, { text: randomBytes(900_000).toString('latin1') })
    const { hash } = await storeImage(ctx, content)
    const found = await new ImageCache(await restore(await backUp())).find(hash)
    expect(found?.content.equals(content)).toBe(true)
  })
})

describe('a backup of an older schema', () => {
  it('is loaded as it was and brought up to date', async () => {
    const old = await createEmptyStore()
    const migrations = (await listMigrations()).slice(0, 4)
    for (const name of migrations) await old.transaction((tx) => applyMigration(tx, name))
    await createPartitions(old, new Date())
    await old.query(sql`insert into apps (label, name) values ('old', 'Old app')`)
    await old.query(sql`insert into users (app_id, user_id) values (1, 'sara')`)
    const file = nextFile(folder)
    await writeBackup(old, { file, without: excludedTables, readSealed })
    expect((await checkBackup(file)).header.migrations).toEqual(migrations)
    const restored = await restore(file)
    expect(await readMigrations(restored)).toEqual(await listMigrations())
    const apps = await restored.query<{ name: string; secret: Buffer }>(
      sql`select name, alias_secret as secret from apps`,
    )
    expect(apps).toEqual([{ name: 'Old app', secret: expect.any(Buffer) }])
    expect(await readRestoreHold({ store: restored })).toBeDefined()
    expect(await findBroken(restored)).toEqual([])
  })
})

it('looks for the keys of everything that is sealed', async () => {
  const columns = await store.query<{ place: string }>(sql`
    select c.relname || '.' || a.attname as place from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and not c.relispartition and a.attname like 'sealed%' and c.relnamespace = current_schema()::regnamespace
    order by 1`)
  expect(columns.map(({ place }) => place)).toEqual([
    'apns_tokens.sealed',
    'provider_credentials.sealed',
    'webhooks.sealed_secret',
  ])
})
