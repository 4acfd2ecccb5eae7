import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestApp, createTestStore, testExternal } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { beforeAll, expect, it } from 'vitest'
import { createSecretBox } from '#base/secrets/secret-box.ts'
import { openStore } from '#base/store/store.ts'
import { createEmptyDatabase, fillApp, makeBackupFolder, readContents } from '#features/backups/backups.test-support.ts'
import { readBackupTimes } from '#features/backups/read-backup-times.ts'
import { readRestoreHold } from '#features/backups/read-restore-hold.ts'
import { peykHere } from '../peyk-process.test-support.ts'

const store = await createTestStore()
const key = randomBytes(32)
const ctx = await createTestApp(store, { external: { ...testExternal, secretBox: createSecretBox([key]) } })
const folder = await makeBackupFolder()
const file = join(folder, 'all.backup')
const withKey = (url: string, secretKey = key) => ({
  env: { PEYK_DATABASE_URL: url, PEYK_SECRET_KEY: secretKey.toString('base64') },
})

beforeAll(async () => {
  await fillApp(ctx)
  const made = await peykHere(['backup', file], withKey(store.url))
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toMatch(/^Wrote \d+ rows of \d+ tables, [\d,]+ bytes, to .*all\.backup\n/m)
  expect(made.stdout).toMatch(/key .* is not in it\. Keep PEYK_SECRET_KEY/)
})

it('peyk backup and peyk restore carry everything to an empty database, which then waits for peyk resume', async () => {
  const url = await createEmptyDatabase()
  const env = withKey(url)
  const restored = await peykHere(['restore', file], env)
  expect(restored).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('peyk resume') })
  const opened = openStore(url, { poolSize: 2 })
  try {
    expect(await readContents(opened)).toEqual(await readContents(store))
    expect((await peykHere(['verify'], env)).stdout).toMatch(/All \d+ checks passed\.\n$/)
    const shown = await peykHere(['resume'], env)
    expect(shown.stdout).toMatch(
      /Nothing is sent\. Waiting:\n {2}1 message to groups.*\n {2}0 scheduled .*\n {2}pushes to 1 device\n/,
    )
    expect(await readRestoreHold({ store: opened })).toBeDefined()
    expect(await peykHere(['resume', '--send', '--discard'], env)).toMatchObject({ code: 2 })
    const discarded = await peykHere(['resume', '--discard'], env)
    expect(discarded).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Cancelled 2 messages/m) })
    expect(await readRestoreHold({ store: opened })).toBeUndefined()
    expect((await peykHere(['resume'], env)).stdout).toBe('Nothing is held back.\n')
    expect((await peykHere(['verify'], env)).code).toBe(0)
  } finally {
    await opened.close()
  }
})

it('peyk restore asks for the key that the credentials were sealed with, before it changes anything', async () => {
  const url = await createEmptyDatabase()
  const keyId = /key ([0-9a-f]{8})/
  const wrong = await peykHere(['restore', file], withKey(url, randomBytes(32)))
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(keyId) })
  expect(wrong.stderr).toMatch(/not in PEYK_SECRET_KEY.*--without-key/)
  const dataFolder = join(folder, 'no-key')
  const none = await peykHere(['restore', file], { env: { PEYK_DATABASE_URL: url, PEYK_DATA: dataFolder } })
  expect(none.stderr).toContain(`not in ${join(dataFolder, 'secret.key')}`)
  expect(await readdir(folder)).not.toContain('no-key')

  await mkdir(dataFolder)
  await writeFile(join(dataFolder, 'secret.key'), key.toString('base64'))
  // An empty database: nothing was changed before.
  const found = await peykHere(['restore', file], { env: { PEYK_DATABASE_URL: url, PEYK_DATA: dataFolder } })
  expect(found).toMatchObject({ code: 0, stderr: '' })
})

it('peyk restore does without the key when it is told to', async () => {
  const env = withKey(await createEmptyDatabase(), randomBytes(32))
  expect(await peykHere(['restore', file, '--without-key'], env)).toMatchObject({ code: 0, stderr: '' })
})

it.each([
  ['nowhere.backup', 'there is no such file or folder'],
  ['foreign.backup', 'is no backup of Peyk'],
  ['half.backup', /is not whole|is damaged/],
])('peyk restore says in one line what is wrong with %s', async (name, words) => {
  const bytes = await readFile(file)
  await writeFile(join(folder, 'foreign.backup'), 'PK\u0003\u0004 something else')
  await writeFile(join(folder, 'half.backup'), bytes.subarray(0, bytes.length / 2))
  const dataFolder = join(folder, `data-${name}`)
  const { code, stderr } = await peykHere(['restore', join(folder, name)], { env: { PEYK_DATA: dataFolder } })
  expect(code).toBe(1)
  expect(stderr).toMatch(words)
  expect(stderr.trimEnd()).not.toContain('\n')
  // Not even a database was made for it.
  expect(await readdir(folder)).not.toContain(`data-${name}`)
})

it('peyk restore leaves a database alone that has something in it, or that a service uses', async () => {
  const used = await createTestStore()
  await createTestApp(used)
  await used.query(sql`select 1`)
  const inUse = await peykHere(['restore', file], withKey(used.url))
  expect(inUse).toMatchObject({ code: 1, stderr: expect.stringMatching(/in use\. Stop the service first/) })
  const full = await createEmptyDatabase()
  const filling = openStore(full, { poolSize: 1 })
  await filling.query(sql`create table somebody_elses (id int)`)
  await filling.close()
  const refused = await peykHere(['restore', file], withKey(full))
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/not empty.*Create a new database/) })
})

it('peyk backup refuses a file that exists, and nobody is alerted: the service has no failed backup', async () => {
  const before = await readFile(file)
  const refused = await peykHere(['backup', file], withKey(store.url))
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/already exists: name another file\.\n$/) })
  expect(await readFile(file)).toEqual(before)
  expect(await readBackupTimes({ store })).toEqual({ succeededAt: expect.any(Date), failedAt: undefined })
})
