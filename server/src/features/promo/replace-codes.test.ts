import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { setInterval as every } from 'node:timers/promises'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { effortLevel } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import fc from 'fast-check'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { activeCodes, countRows, createCampaign, fileOf, replace, take } from './promo.test-support.ts'
import { replaceCampaignCodes } from './replace-campaign-codes.ts'
import { replaceGlobalCodes } from './replace-global-codes.ts'
import { replaceSet } from './replace-set.ts'

const store = await createTestStore()

const lines = (count: number, code: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${code(index)}\n`).join('')

/** Every connection of the pool answers and none is left in a transaction. */
async function expectCleanPool(ctx: Context) {
  await Promise.all(Array.from({ length: 12 }, () => ctx.store.transaction((tx) => tx.query(sql`select 1`))))
  const open = await ctx.store.query(sql`
    select pid, state, query from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and backend_type = 'client backend'`)
  expect(open).toEqual([])
}

describe('a campaign’s promo codes', () => {
  it('are replaced by a file, each code once', async () => {
    const ctx = await createTestApp(store)
    await createCampaign(ctx, 'spring')
    const first = await replace(ctx, 'spring', '\ufeffB-2\r\n', 'A-1\r\n\r\nB-2\r\n')
    expect(first).toEqual({
      promoSetId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      totalRows: 3,
      duplicates: 1,
      alreadyUsed: 0,
    })
    expect(await activeCodes(ctx, 'spring')).toEqual(['A-1', 'B-2'])
    const second = await replace(ctx, 'spring', 'C-3')
    expect(second).toEqual({ promoSetId: expect.any(String), totalRows: 1, duplicates: 0, alreadyUsed: 0 })
    expect(second.promoSetId).not.toBe(first.promoSetId)
    expect(await activeCodes(ctx, 'spring')).toEqual(['C-3'])
  })

  it('need a campaign, and the file is not touched before that is known', async () => {
    const ctx = await createTestApp(store)
    for (const trackId of ['none', '', 'a\0b']) {
      const file = fileOf('A\n')
      const refused = replaceCampaignCodes(ctx, { trackId, file })
      await expect(refused).rejects.toMatchObject({
        code: 'unknown-campaign',
        status: 404,
        name: 'Error',
        message: 'Invalid userPush id',
      })
      expect(file.readableDidRead).toBe(false)
    }
  })

  it('belong to one app, whatever the campaigns of others are called', async () => {
    const [mine, other] = [await createTestApp(store), await createTestApp(store)]
    for (const ctx of [mine, other]) await createCampaign(ctx, 'same')
    await replace(mine, 'same', 'SHARED\nMINE\n')
    await replace(other, 'same', 'SHARED\nOTHER\n')
    expect(await activeCodes(mine, 'same')).toEqual(['MINE', 'SHARED'])
    expect(await activeCodes(other, 'same')).toEqual(['OTHER', 'SHARED'])
    await take(mine, [1, 2], { trackId: 'same' })
    expect(await replace(other, 'same', 'SHARED\n')).toMatchObject({ alreadyUsed: 0 })
    expect(await replace(mine, 'same', 'SHARED\n')).toMatchObject({ alreadyUsed: 1 })
  })
})

describe('the global promo codes', () => {
  it('are replaced under the id of the app, and leave the campaigns’ alone', async () => {
    const ctx = await createTestApp(store)
    await createCampaign(ctx, 'spring')
    await replace(ctx, 'spring', 'S\n')
    expect(await replace(ctx, undefined, 'G\n')).toEqual({
      promoSetId: ctx.app.label,
      totalRows: 1,
      duplicates: 0,
      alreadyUsed: 0,
    })
    expect(await activeCodes(ctx)).toEqual(['G'])
    expect(await activeCodes(ctx, 'spring')).toEqual(['S'])
  })

  it('that were given before are counted, whether few or many were', async () => {
    const ctx = await createTestApp(store)
    await replace(
      ctx,
      undefined,
      lines(30, (index) => `C-${index + 10}`),
    )
    await take(ctx, [1, 2, 3, 4])
    expect(
      await replace(
        ctx,
        undefined,
        lines(50, (index) => `C-${index}`),
      ),
    ).toMatchObject({ totalRows: 50, alreadyUsed: 4 })
    expect(await replace(ctx, undefined, 'C-11\nC-11\nNEW\n')).toMatchObject({
      totalRows: 3,
      duplicates: 1,
      alreadyUsed: 1,
    })
  })
})

describe('the order of a file', () => {
  it('does not matter: in order, falling, with repeats early and late', async () => {
    const ctx = await createTestApp(store)
    const rising = (index: number) => `C-${String(index).padStart(6, '0')}`
    const codes = Array.from({ length: 20_000 }, (_, index) => rising(index))
    const files: [string, number][] = [
      [lines(20_000, rising), 0],
      [lines(20_000, (index) => rising(19_999 - index)), 0],
      [lines(20_000, rising) + lines(20_000, rising), 20_000],
      [`${lines(20_000, rising)}C-000000\n`, 1],
      [`C-000000\nC-000000\n${lines(20_000, rising)}`, 2],
      [lines(10_000, rising) + lines(15_000, (index) => rising(index + 5_000)), 5_000],
    ]
    for (const [text, duplicates] of files) {
      const { length } = text.split('\n')
      expect(await replace(ctx, undefined, text)).toMatchObject({ totalRows: length - 1, duplicates })
      expect(await activeCodes(ctx)).toEqual(codes)
    }
  })

  it('never changes which codes are stored', async () => {
    const ctx = await createTestApp(store)
    const code = fc.string({ unit: fc.constantFrom('-', '0', '9', 'A', 'Z', 'a', 'z'), minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.array(code, { minLength: 1, maxLength: 30 }), fc.boolean(), async (codes, isSorted) => {
        if (isSorted) codes.sort()
        const distinct = [...new Set(codes)].sort()
        const answer = await replace(ctx, undefined, codes.join('\n'))
        expect(answer).toMatchObject({ totalRows: codes.length, duplicates: codes.length - distinct.length })
        expect(await activeCodes(ctx)).toEqual(distinct)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a file that is not taken', () => {
  it.each([
    ['has a bad line', ['A\n!\nB\n'], { code: 'invalid-file', status: 400, details: { lines: [2] } }],
    [
      'has a bad line after a long good part',
      [lines(20_000, (index) => `C-${index + 10_000}`), 'bad line\n'],
      { details: { lines: [20_001] } },
    ],
    [
      'has a bad line after a long part in no order',
      [lines(20_000, (index) => `C-${index}`), 'bad line\n'],
      { details: { lines: [20_001] } },
    ],
    [
      'has many bad lines',
      ['!\n'.repeat(50)],
      { code: 'invalid-file', details: { lines: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } },
    ],
    ['is empty', [], { code: 'invalid-file', status: 400 }],
    ['has blank lines only', ['\n\r\n\r'], { code: 'invalid-file', status: 400 }],
  ])('leaves the old set when it %s', async (_title, pieces, error) => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, 'OLD\n')
    await expect(replace(ctx, undefined, ...pieces)).rejects.toMatchObject(error)
    expect(await activeCodes(ctx)).toEqual(['OLD'])
    expect(await countRows(ctx, 'promo_sets')).toBe(1)
    expect(await countRows(ctx, 'promo_codes')).toBe(1)
    await expectCleanPool(ctx)
  })

  it('is no longer read once ten bad lines are known', async () => {
    const ctx = await createTestApp(store)
    const file = Readable.from(
      (function* () {
        for (;;) yield Buffer.from('!\n'.repeat(1_000))
      })(),
    )
    await expect(replaceGlobalCodes(ctx, { file })).rejects.toMatchObject({ code: 'invalid-file' })
    expect(file.destroyed).toBe(true)
  })

  it('has too many rows', async () => {
    const ctx = await createTestApp(store)
    const block = Buffer.from('A\n'.repeat(100_000))
    function* rows(count: number) {
      yield Buffer.from('!\n')
      for (let given = 1; given < count; given += 100_000) yield block
    }
    const refused = replaceGlobalCodes(ctx, { file: Readable.from(rows(limits.promoRows + 1)) })
    await expect(refused).rejects.toMatchObject({ code: 'too-large', status: 413 })
  })

  it('has too many bytes, and be it in one endless line', async () => {
    const ctx = await createTestApp(store)
    const block = Buffer.alloc(1024 * 1024, 'x')
    let given = 0
    const file = Readable.from(
      (function* () {
        for (; ; given++) yield block
      })(),
    )
    await expect(replaceGlobalCodes(ctx, { file })).rejects.toMatchObject({ code: 'too-large', status: 413 })
    expect(given).toBeLessThan(limits.promoFileBytes / block.length + 20)
  })
})

describe('an upload that breaks off', () => {
  it.each([
    ['in order', (index: number) => `C-${index + 100_000}`],
    ['in no order', (index: number) => `C-${index}`],
  ])('leaves the old set and a clean pool when the client goes, codes %s', async (_title, code) => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, 'OLD\n')
    const file = new PassThrough()
    const upload = replaceGlobalCodes(ctx, { file })
    file.write(lines(50_000, code))
    await once(file, 'drain')
    file.destroy(new Error('the client went away'))
    await expect(upload).rejects.toThrow('the client went away')
    expect(await activeCodes(ctx)).toEqual(['OLD'])
    expect(await countRows(ctx, 'promo_sets')).toBe(1)
    await expectCleanPool(ctx)
  })

  it('does so before anything came', async () => {
    const ctx = await createTestApp(store)
    const file = new PassThrough()
    const upload = replaceGlobalCodes(ctx, { file })
    file.destroy(new Error('the client went away'))
    await expect(upload).rejects.toThrow('the client went away')
    expect(await countRows(ctx, 'promo_sets')).toBe(0)
    await expectCleanPool(ctx)
  })

  it('is told that the database went away, and the next one works', async () => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, 'OLD\n')
    const file = new PassThrough()
    const upload = replaceGlobalCodes(ctx, { file })
    upload.catch(() => undefined)
    await until(
      () => {
        file.write(lines(10_000, (index) => `C-${index}`))
        return store.query(sql`
          select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'copy promo_upload%'`)
      },
      (ended) => ended.length === 1,
    )
    const sending = setInterval(() => file.write(lines(10_000, (index) => `D-${index}`)), 5)
    await expect(upload)
      .rejects.toMatchObject({ code: 'store-away', status: 503 })
      .finally(() => clearInterval(sending))
    expect(await activeCodes(ctx)).toEqual(['OLD'])
    expect(await replace(ctx, undefined, 'NEW\n')).toMatchObject({ totalRows: 1 })
    await expectCleanPool(ctx)
  })
})

describe('uploads', () => {
  it('to one set at the same time are each stored whole, and the last one stays', async () => {
    const ctx = await createTestApp(store)
    await createCampaign(ctx, 'spring')
    const names = Array.from({ length: 5 }, (_, index) => String.fromCharCode(65 + index))
    const uploads = names.map((name) =>
      replace(
        ctx,
        'spring',
        lines(3_000, (index) => `${name}-${index + 1_000}`),
      ),
    )
    for (const answer of await Promise.all(uploads)) expect(answer).toMatchObject({ totalRows: 3_000, duplicates: 0 })
    const active = await activeCodes(ctx, 'spring')
    expect(active).toHaveLength(3_000)
    expect(new Set(active.map((code) => code.charAt(0))).size).toBe(1)
    const states = await ctx.store.query<{ state: string; count: number }>(sql`
      select state, count(*) from promo_sets where app_id = ${ctx.app.id} group by state order by state`)
    expect(states).toEqual([
      { state: 'active', count: 1 },
      { state: 'replaced', count: 4 },
    ])
  })

  it('belong to the transaction they are called in', async () => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, 'OLD\n')
    const undone = ctx.store.transaction(async (tx) => {
      expect(await replace({ ...ctx, tx }, undefined, 'NEW\n')).toMatchObject({ totalRows: 1 })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await activeCodes(ctx)).toEqual(['OLD'])
  })

  it('keep the database’s limit of time off themselves, and only themselves', async () => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, 'B\nA\n')
    const settings = await Promise.all(
      Array.from({ length: 6 }, () => store.query<{ statement_timeout: string }>(sql`show statement_timeout`)),
    )
    expect(new Set(settings.flat().map((row) => row.statement_timeout))).toEqual(new Set(['1min']))
  })

  it('say in the log how far they are, while they last', async () => {
    const logged: { rows: number; msg: string }[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
    const ctx = { ...(await createTestApp(store)), log }
    const file = new PassThrough()
    const upload = replaceSet(ctx, { trackId: '', file, progressMs: 1 })
    for (const letter of ['C', 'D']) {
      file.write(lines(50_000, (index) => `${letter}-${index}`))
      await once(file, 'drain')
    }
    const [first, ...later] = await until(
      () => [...logged],
      (entries) => entries.length >= 2 && (entries.at(-1)?.rows ?? 0) > 0,
    )
    expect(first).toMatchObject({ app: ctx.app.label, msg: 'promo codes are being stored' })
    expect(later.at(-1)?.rows).toBeGreaterThan(0)
    file.end()
    await upload
    const { length } = logged
    let ticks = 0
    for await (const _ of every(1)) if (++ticks === 20) break
    expect(logged).toHaveLength(length)
  })

  it('of very many rows take from the file no faster than the database takes from them', async () => {
    const app = await createTestApp(store)
    let unsent = () => 0
    const ctx: Context = {
      ...app,
      store: {
        ...app.store,
        transaction: (work) =>
          app.store.transaction((tx) => {
            const { stream } = (tx.client as unknown as { connection: { stream: { writableLength: number } } })
              .connection
            unsent = () => stream.writableLength
            return work(tx)
          }),
      },
    }
    const rows = effortLevel === 'usual' ? 500_000 : 2_000_000
    let made = 0
    let mostUnsent = 0
    const file = new Readable({
      highWaterMark: 64 * 1024,
      read() {
        mostUnsent = Math.max(mostUnsent, unsent())
        if (made > rows) return void this.push(null)
        if (made === rows) {
          made++
          return void this.push('no code\n')
        }
        let text = ''
        for (const end = made + 10_000; made < end; made++) text += `C-${(made * 7_919) % rows}\n`
        this.push(text)
      },
    })
    await expect(replaceGlobalCodes(ctx, { file })).rejects.toMatchObject({ details: { lines: [rows + 1] } })
    expect(mostUnsent).toBeLessThan(1024 * 1024)
  })
})
