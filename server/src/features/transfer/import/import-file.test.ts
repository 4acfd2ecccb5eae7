import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestApp, createTestStore } from '../../../../../test/helpers/database/test-store.ts'
import { makeGuardedFolder } from '../../../../../test/helpers/runner/guard.ts'
import type { RowFile } from '../../../base/answers/row-file.ts'
import type { Context } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import type { Store } from '../../../base/store/store.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { exportUsers } from '../exports/export-users.ts'
import { readColumnMap } from './column-map.ts'
import { type ImportOrder, importFile } from './import-file.ts'

const store = await createTestStore()
const folder = await makeGuardedFolder('peyk-import-')

let files = 0
async function fileOf(text: string, ending = 'csv'): Promise<string> {
  const file = join(folder, `${++files}.${ending}`)
  await writeFile(file, text)
  return file
}

function bring(ctx: Context, file: string, order: Partial<ImportOrder> = {}) {
  const format = file.endsWith('.csv') ? 'csv' : 'ndjson'
  const usual = { file, format, map: new Map(), deviceTypes: new Map(), isDryRun: false, onProgress: () => {} } as const
  return importFile(ctx, { ...usual, ...order })
}

async function usersOf(ctx: Context): Promise<Record<string, unknown>[]> {
  const { columns, rows }: RowFile = await exportUsers(ctx, { deviceTokens: true })
  const users: Record<string, unknown>[] = []
  for await (const row of rows)
    users.push(Object.fromEntries(Object.keys(columns).map((name, index) => [name, row[index]])))
  return users.sort((a, b) => (String(a.userId) < String(b.userId) ? -1 : 1))
}

const refusedOf = async (file: string) =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('a CSV of another service comes in by a map, and what is wrong is listed', async () => {
  const ctx = await createTestApp(store)
  const file = await fileOf(
    [
      'player_id;identifier;device_type;language;tags;external_user_id;name',
      'p1;token-1;1;en;"{""vip"":""1"",""city"":""berlin""}";sara;"Sara; the first"',
      'p2;token-2;0;fa;{};ali;',
      'p3;token-3;14;en;{};reza;',
      'p4;token-4;1;en;not json {;omid;',
      'p5;token-5;1;en;{};a user;',
      'p6;too;few',
    ].join('\r\n'),
  )
  const map = readColumnMap([
    ...['player_id=', 'identifier=deviceToken', 'device_type=deviceType', 'external_user_id=userId'],
    'name=attributes.name',
  ])
  const deviceTypes = new Map([
    ['0', 'ios'],
    ['1', 'android'],
    ['14', ''],
  ])
  const dry = await bring(ctx, file, { map, deviceTypes, isDryRun: true })
  expect(dry).toMatchObject({ lines: 6, imported: 3, refused: 3 })
  expect(await usersOf(ctx)).toEqual([])
  const { refusedFile, ...counts } = await bring(ctx, file, { map, deviceTypes })
  expect(counts).toMatchObject({ lines: 6, imported: 3, devices: 3, refused: 3, resumedAfter: undefined })
  expect(await refusedOf(refusedFile)).toMatchObject([
    { line: 4, why: expect.stringContaining('"deviceType"') },
    { line: 6, why: expect.stringContaining('"userId"') },
    { line: 7, why: 'The line has 3 cells, and the first line 7.' },
  ])
  const [ali, , sara] = await usersOf(ctx)
  expect(sara).toMatchObject({
    ...{ userId: 'sara', tags: { vip: '1', city: 'berlin' }, attributes: { name: 'Sara; the first' } },
    installations: [{ deviceType: 'android', deviceToken: 'token-1', language: 'en' }],
  })
  expect(ali).toMatchObject({ userId: 'ali', tags: null, installations: [{ deviceType: 'ios' }] })
})

test('what was exported comes in as it was, in another app, and once more changes nothing', async () => {
  const [from, to] = [await createTestApp(store), await createTestApp(store)]
  const lines = await fileOf(
    `${JSON.stringify({ userId: 'sara', deviceType: 'ios', deviceToken: 't1', tags: ['vip', 'city=tehran'], attributes: { age: 31, '=x': '=1+1' } })}\n\n${JSON.stringify({ userId: 'omid', 'tags.new': true, 'attributes.score': 5 })}`,
    'ndjson',
  )
  expect(await bring(from, lines)).toMatchObject({ lines: 2, imported: 2, devices: 1, refused: 0 })
  await registerInstallation(from, { deviceType: 'web' })
  const users = await usersOf(from)
  const file = await fileOf(users.map((user) => JSON.stringify(user)).join('\n'), 'ndjson')
  expect(await bring(to, file)).toMatchObject({ lines: 3, imported: 2, guests: 1, refused: 0 })
  const named = users.filter(({ isGuest }) => !isGuest)
  const known = named.map(({ userId, tags, attributes, installations }) => ({
    userId,
    tags,
    attributes,
    installations,
  }))
  expect(await usersOf(to)).toMatchObject(known)
  expect(await bring(to, file)).toMatchObject({ imported: 2, devices: 0 })
  expect(await usersOf(to)).toMatchObject(known)
})

test('a device that has registered by itself keeps its token', async () => {
  const ctx = await createTestApp(store)
  const { id } = await registerInstallation(ctx, { deviceType: 'android', deviceToken: 'own', userId: 'sara' })
  const file = await fileOf('userId,deviceType,deviceToken\nsara,android,own\nsara,android,other\nsara,android,other\n')
  expect(await bring(ctx, file)).toMatchObject({ lines: 3, imported: 3, refused: 0 })
  const [sara] = await usersOf(ctx)
  expect(sara?.installations).toMatchObject([{ id, deviceToken: 'own' }, { deviceToken: 'other' }])
})

test('an import that was ended goes on where it was', async () => {
  const ctx = await createTestApp(store)
  const count = 1_100
  const text = ['userId,tags', ...Array.from({ length: count }, (_, index) => `u${index},t`)].join('\n')
  const file = await fileOf(text)
  let chunks = 0
  const ended = bring(ctx, file, {
    onProgress: () => {
      if (++chunks === 2) throw new Error('killed')
    },
  })
  await expect(ended).rejects.toThrow('killed')
  expect(await bring(ctx, file)).toMatchObject({ resumedAfter: 1_001, lines: count, imported: count, refused: 0 })
  const [row] = await store.query<{ count: number }>(
    sql`select count(*)::int as count from users where app_id = ${ctx.app.id}`,
  )
  expect(row?.count).toBe(count)
  expect(await bring(ctx, file)).toMatchObject({ resumedAfter: undefined, lines: count })
})

test('trouble of the database is not the fault of a line', async () => {
  const ctx = await createTestApp(store)
  const away: Store = { ...store, transaction: () => Promise.reject(new RequestError('store-away', 'away')) }
  await expect(bring({ ...ctx, store: away }, await fileOf('userId,tags\nsara,vip\n'))).rejects.toThrow('away')
})

test.each([
  ['', 'The file is empty'],
  ['userId,wrong\nsara,x\n', 'There is no column "wrong"'],
  ['userId,tag\nsara,x\n', 'did you mean "tags"?'],
  [`userId,tags\nsara,"${'x'.repeat(1_100_000)}`, 'is a quotation mark missing?'],
])('%.20j cannot be imported', async (text, why) => {
  await expect(bring(await createTestApp(store), await fileOf(text))).rejects.toThrow(why)
})

test.each(['x', '=userId', 'a=nothing'])('--map %s is refused', (text) => {
  expect(() => readColumnMap([text])).toThrow('--map')
})
