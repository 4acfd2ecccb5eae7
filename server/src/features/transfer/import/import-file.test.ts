import { appendFile } from 'node:fs/promises'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { RequestError } from '#base/errors.ts'
import type { Store } from '#base/store/store.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { readColumnMap } from './column-map.ts'
import { bring, createFiles, refusedOf, tokens, usersOf } from './import.test-support.ts'

const store = await createTestStore()
const { fileOf, ndjson } = await createFiles()

test('a CSV of another service comes in by a map, and what is wrong is listed', async () => {
  const ctx = await createTestApp(store)
  const file = await fileOf(
    [
      'player_id;identifier;device_type;language;tags;external_user_id;name',
      'p1;token-1;1;en;"{""vip"":""1"",""city"":""berlin""}";sara;"Sara; the first"',
      `p2;${tokens.apns(2)};0;fa;{};ali;`,
      'p3;+4915112345678;14;en;{};reza;',
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
    `${JSON.stringify({ userId: 'sara', deviceType: 'ios', deviceToken: tokens.apns(1), tokenStatus: 'ALLOWED', launchTime: '2025-03-04', launchCount: 7, tags: ['vip', 'city=tehran'], attributes: { age: 31, '=x': '=1+1' } })}\n\n${JSON.stringify({ userId: 'omid', 'tags.new': true, 'attributes.score': 5 })}`,
    'ndjson',
  )
  expect(await bring(from, lines)).toMatchObject({ lines: 2, imported: 2, devices: 1, refused: 0 })
  await registerInstallation(from, { deviceType: 'web' })
  await registerInstallation(from, { deviceType: 'ios', deviceToken: tokens.apns(2), tokenStatus: 'DENIED' })
  const users = await usersOf(from)
  const file = await fileOf(users.map((user) => JSON.stringify(user)).join('\n'), 'ndjson')
  expect(await bring(to, file)).toMatchObject({ lines: 4, imported: 4, devices: 3, guests: 0, refused: 0 })
  const known = users.map(({ userId, isGuest, tags, attributes, installations }) => ({
    userId,
    isGuest,
    tags,
    attributes,
    installations,
  }))
  expect(await usersOf(to)).toMatchObject(known)
  expect(await bring(to, file)).toMatchObject({ imported: 4, devices: 0 })
  expect(await usersOf(to)).toMatchObject(known)
  expect(JSON.stringify(known)).toMatch(
    /"launchCount":7.*"tokenStatus":"DENIED"|"tokenStatus":"DENIED".*"launchCount":7/,
  )
})

test('a device that has registered by itself keeps its token', async () => {
  const ctx = await createTestApp(store)
  const { id } = await registerInstallation(ctx, { deviceType: 'android', deviceToken: 'own', userId: 'sara' })
  const file = await fileOf('userId,deviceType,deviceToken\nsara,android,own\nsara,android,other\nsara,android,other\n')
  expect(await bring(ctx, file)).toMatchObject({ lines: 3, imported: 3, refused: 0 })
  const [sara] = await usersOf(ctx)
  expect(sara?.installations).toMatchObject([{ id, deviceToken: 'own' }, { deviceToken: 'other' }])
})

test('an import that was interrupted continues where it stopped, and lists what it refused once', async () => {
  const ctx = await createTestApp(store)
  const count = 2_200
  const isWrong = (index: number) => index % 500 === 7
  const lines = Array.from({ length: count }, (_, index) => (isWrong(index) ? `u ${index},t` : `u${index},t`))
  const file = await fileOf(['userId,tags', ...lines].join('\n'))
  let parts = 0
  const interrupted = bring(ctx, file, {
    onProgress: () => {
      if (++parts === 2) throw new Error('killed')
    },
  })
  await expect(interrupted).rejects.toThrow('killed')
  // A process that is killed may have listed lines that it will read again.
  await appendFile(`${file}.refused.ndjson`, '{"line":2009,"why":"half a li')
  const { refusedFile, ...counts } = await bring(ctx, file)
  expect(counts).toMatchObject({ resumedAfter: 2_001, lines: count, imported: count - 5, refused: 5 })
  expect((await refusedOf(refusedFile)).map(({ line }) => line)).toEqual([9, 509, 1_009, 1_509, 2_009])
  const [row] = await store.query<{ count: number }>(
    sql`select count(*)::int as count from users where app_id = ${ctx.app.id}`,
  )
  expect(row?.count).toBe(count - 5)
  expect(await bring(ctx, file)).toMatchObject({ resumedAfter: undefined, lines: count })
})

test('an import with other options does not continue an interrupted one', async () => {
  const ctx = await createTestApp(store)
  const lines = Array.from({ length: 1_200 }, (_, index) => `u${index},berlin`)
  const file = await fileOf(['userId,city', ...lines].join('\n'))
  const onProgress = () => {
    throw new Error('killed')
  }
  const map = readColumnMap(['city=tags'])
  await expect(bring(ctx, file, { map, onProgress })).rejects.toThrow('killed')
  const other = readColumnMap(['city=attributes.city'])
  expect(await bring(ctx, file, { map: other })).toMatchObject({ resumedAfter: undefined, lines: 1_200 })
})

test('wherever an import is cut off, the next one makes no second guest and brings the rest', async () => {
  for (let cut = 0, isComplete = false; !isComplete; cut++) {
    const ctx = await createTestApp(store)
    const lines = Array.from({ length: 30 }, (_, index) => ({
      ...{ deviceType: 'android', deviceToken: tokens.fcm(index), tags: { no: `${index}` }, attributes: { no: index } },
      ...(index % 5 === 0 && { userId: `user-${index}` }),
      ...(index % 7 === 0 && { optedOut: true }),
    }))
    const file = await ndjson(...lines)
    let left = cut
    const transaction: Store['transaction'] = (work) =>
      left-- > 0 ? store.transaction(work) : Promise.reject(new RequestError('store-away', 'away'))
    await bring({ ...ctx, store: { ...store, transaction } }, file).then(
      () => {
        isComplete = true
      },
      () => {},
    )
    expect(await bring(ctx, file)).toMatchObject({ lines: 30, imported: 30, refused: 0 })
    const users = await usersOf(ctx)
    const numbers = (values: number[]) => values.toSorted((a, b) => a - b)
    expect(numbers(users.map(({ tags }) => Number((tags as { no: string }).no)))).toEqual([...lines.keys()])
    expect(numbers(users.map(({ attributes }) => (attributes as { no: number }).no))).toEqual([...lines.keys()])
    expect(users.map(({ installations }) => (installations as unknown[]).length)).toEqual(lines.map(() => 1))
    if (isComplete) expect(cut).toBeGreaterThan(2)
  }
})

test('trouble of the database is not the fault of a line', async () => {
  const ctx = await createTestApp(store)
  const away: Store = { ...store, transaction: () => Promise.reject(new RequestError('store-away', 'away')) }
  await expect(bring({ ...ctx, store: away }, await fileOf('userId,tags\nsara,vip\n'))).rejects.toThrow('away')
})

test.each([
  ['', 'The file is empty'],
  ['userId,wrong\nsara,x\n', '"wrong"'],
  ['userId,tag\nsara,x\n', 'did you mean "tags"?'],
  [`userId,tags\nsara,"${'x'.repeat(1_100_000)}`, 'is a quotation mark missing?'],
])('%.20j cannot be imported', async (text, why) => {
  await expect(bring(await createTestApp(store), await fileOf(text))).rejects.toThrow(why)
})

test.each(['x', '=userId', 'a=nothing'])('--map %s is refused', (text) => {
  expect(() => readColumnMap([text])).toThrow('--map')
})
