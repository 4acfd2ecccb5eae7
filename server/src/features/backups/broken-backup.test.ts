import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import sql from 'sql-template-tag'
import { beforeAll, expect, it } from 'vitest'
import { BackupError } from '#base/store/backup/backup-error.ts'
import { firstLine, lastLine } from '#base/store/backup/backup-frames.ts'
import { checkBackup } from '#base/store/backup/check-backup.ts'
import { listTables } from '#base/store/backup/read-schema.ts'
import { writeBackup } from '#base/store/backup/write-backup.ts'
import { createEmptyStore, fillApp, makeBackupFolder, nextFile } from './backups.test-support.ts'
import { excludedTables } from './excluded-tables.ts'
import { makeBackup } from './make-backup.ts'
import { readBackupTimes } from './read-backup-times.ts'
import { restoreBackup } from './restore-backup.ts'

const store = await createTestStore()
const ctx = await createTestApp(store)
const target = await createEmptyStore()
const folder = await makeBackupFolder()
const now = () => new Date()
let whole: Buffer

const write = async (bytes: Buffer | string): Promise<string> => {
  const file = nextFile(folder)
  await writeFile(file, bytes)
  return file
}

const unpack = (bytes: Buffer) => zstdDecompressSync(bytes.subarray(firstLine.length, -lastLine.length))

/** Refused in so many words before it is loaded, and also while it is, and then nothing is there. */
const expectRefused = async (bytes: Buffer | string, words: RegExp, { isLoaded = true } = {}) => {
  const file = await write(bytes)
  const attempts: Promise<unknown>[] = [checkBackup(file)]
  if (isLoaded) attempts.push(restoreBackup({ store: target }, { file }))
  for (const attempt of await Promise.allSettled(attempts)) {
    expect(attempt).toMatchObject({ status: 'rejected', reason: expect.any(BackupError) })
    expect((attempt as PromiseRejectedResult).reason.message).toMatch(words)
    expect((attempt as PromiseRejectedResult).reason.message).not.toContain('\n')
  }
  expect(await listTables(target)).toEqual([])
}

beforeAll(async () => {
  await fillApp(ctx)
  const file = nextFile(folder)
  await makeBackup({ store, now }, { file, isScheduled: false })
  whole = await readFile(file)
})

it('is refused when it is no backup', async () => {
  await expectRefused('', /is no backup of Peyk/)
  await expectRefused('-- PostgreSQL database dump', /is no backup of Peyk/)
})

it('is refused when its form is a later one', async () => {
  await expectRefused(
    Buffer.concat([Buffer.from('Peyk backup 2\n'), whole.subarray(firstLine.length)]),
    /form 2.*newer/,
  )
})

it('is refused when it was cut off, wherever that was', async () => {
  const places = Array.from({ length: 12 }, (_, index) => firstLine.length + Math.floor((whole.length * index) / 13))
  for (const place of [...places, whole.length - 1, whole.length - 5])
    await expectRefused(whole.subarray(0, place), /is not whole|is damaged|is no backup/)
})

/** Some three bits of a thousand mean nothing in compressed data: whatever they are, the backup is whole. */
const areSameRows = (bytes: Buffer): boolean => {
  try {
    return unpack(bytes).equals(unpack(whole))
  } catch {
    return false
  }
}

it('is refused when a byte of it has changed, wherever that was', async () => {
  for (let index = 0; index < 12; index++) {
    const bytes = Buffer.from(whole)
    const place = firstLine.length + Math.floor(((whole.length - firstLine.length) * (index + 0.5)) / 12)
    bytes[place] = (bytes[place] as number) ^ 0x10
    if (areSameRows(bytes)) continue
    await expectRefused(bytes, /is not whole|is damaged|does not fit|newer/, { isLoaded: index === 9 })
  }
})

/** As somebody would have to write it who changes what stands in a backup. */
const rewrite = (change: (plain: Buffer) => Buffer): Buffer =>
  Buffer.concat([
    whole.subarray(0, firstLine.length),
    zstdCompressSync(change(unpack(whole))),
    whole.subarray(-lastLine.length),
  ])

it('is refused when its rows are not those of its checksums', async () => {
  const changed = rewrite((plain) => Buffer.from(plain.toString('latin1').replace('Test app', 'Best app'), 'latin1'))
  await expectRefused(changed, /the rows of apps do not agree with their checksum/)
})

it.runIf(isThorough)('is refused when its end is missing, although what is there is right', async () => {
  await expectRefused(
    rewrite((plain) => plain.subarray(0, plain.lastIndexOf('Z\0\0\0'))),
    /is not whole: its end is missing/,
  )
})

it('is refused when a newer version made it', async () => {
  const newer = await createEmptyStore()
  await newer.query(sql`create table migrations (name text primary key)`)
  await newer.query(sql`insert into migrations values ('999-future.sql')`)
  const file = nextFile(folder)
  await writeBackup(newer, { file, without: excludedTables, readSealed: async () => [] })
  await expect(checkBackup(file)).rejects.toThrow(/newer version of Peyk.*999-future/)
})

it('is not loaded into a database that has something in it, which stays as it is', async () => {
  const used = await createTestStore()
  await createTestApp(used)
  const file = await write(whole)
  await expect(restoreBackup({ store: used }, { file })).rejects.toThrow(/not empty/)
  expect(await used.query(sql`select 1 from apps`)).toHaveLength(1)
  const foreign = await createEmptyStore()
  await foreign.query(sql`create table somebody_elses (id int)`)
  await expect(restoreBackup({ store: foreign }, { file })).rejects.toThrow(/not empty.*somebody_elses/)
  expect(await listTables(foreign)).toEqual(['somebody_elses'])
})

const readFailed = async () => Number((await readBackupTimes({ store })).failedAt ?? 0)

it('is not written over another file, nor where there is no folder, and a refused file is no failed backup', async () => {
  const file = await write('mine')
  const make = (path: string, isScheduled = false) => makeBackup({ store, now }, { file: path, isScheduled })
  const refusals: [string, RegExp][] = [
    [file, /already exists/],
    [folder, /already exists/],
    [join(folder, 'nowhere', 'x.backup'), /no such file or folder/],
    [join(file, 'x.backup'), /a part of its path is no folder/],
    [join(folder, 'x'.repeat(300)), /name is too long/],
  ]
  const before = await readFailed()
  for (const [path, reason] of refusals) await expect(make(path)).rejects.toThrow(reason)
  expect(await readFile(file, 'utf8')).toBe('mine')
  expect(await readFailed()).toBe(before)
  // Nobody sees the schedule being refused, so that counts.
  await expect(make(file, true)).rejects.toThrow(/already exists/)
  expect(await readFailed()).toBeGreaterThan(before)
})

it('that fails while it is written counts as failed, whoever asked for it', async () => {
  const before = await readFailed()
  const onProgress = () => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  }
  const making = makeBackup({ store, now }, { file: nextFile(folder), isScheduled: false, onProgress })
  await expect(making).rejects.toThrow(/the disk is full/)
  expect(await readFailed()).toBeGreaterThan(before)
})

it.runIf(isThorough)('leaves nothing behind when it is stopped, and the store goes on', async () => {
  const many = await createTestApp(store)
  await store.query(sql`
    insert into users (app_id, user_id) select ${many.app.id}, 'user-' || n || repeat('x', 200) from generate_series(1, 50000) n`)
  const stopping = new AbortController()
  const file = nextFile(folder)
  const making = makeBackup(
    { store, now },
    {
      file,
      isScheduled: false,
      signal: stopping.signal,
      onProgress: ({ table }) => {
        if (table === 'users') stopping.abort()
      },
    },
  )
  await expect(making).rejects.toThrow(/told to stop/)
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  const answers = await Promise.all(Array.from({ length: 20 }, () => store.query(sql`select 1 as one`)))
  expect(answers.flat()).toHaveLength(20)
  await makeBackup({ store, now }, { file, isScheduled: false })
  expect((await checkBackup(file)).rows).toBeGreaterThan(50_000)
})
