import { PassThrough } from 'node:stream'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { timeOrderedId } from '#base/ids.ts'
import { raiseAlert } from '../accounts/alerts/raise-alert.ts'
import { addCampaignCodes } from './add-campaign-codes.ts'
import { addGlobalCodes } from './add-global-codes.ts'
import { activeCodes, add, createCampaign, fileOf, replace, take } from './promo.test-support.ts'
import { replaceGlobalCodes } from './replace-global-codes.ts'
import { takeCodes } from './take-codes.ts'

const store = await createTestStore()

async function readSet(ctx: Context, trackId = '') {
  const [row] = await store.query<{
    total_rows: number
    codes: number
    duplicates: number
    already_used: number
    given: number
    low_told_at: Date | null
  }>(sql`
    select total_rows, codes, duplicates, already_used, given, low_told_at from promo_sets
    where app_id = ${ctx.app.id} and track_id = ${trackId} and state = 'active'`)
  return row
}

describe('codes that are added', () => {
  it('come to those that are there; what is there already is skipped and counted', async () => {
    const ctx = await createTestApp(store)
    await createCampaign(ctx, 'spring')
    const { promoSetId } = await replace(ctx, 'spring', 'A\nB\nC\n')
    expect(await add(ctx, 'spring', 'B\nD\nD\nE\n')).toEqual({
      promoSetId,
      totalRows: 4,
      duplicates: 1,
      alreadyThere: 1,
      alreadyUsed: 0,
    })
    expect(await activeCodes(ctx, 'spring')).toEqual(['A', 'B', 'C', 'D', 'E'])
    expect(await readSet(ctx, 'spring')).toMatchObject({ total_rows: 7, codes: 5, duplicates: 2, already_used: 0 })
  })

  it('begin a set where there is none, under the id of the app when it is the global one', async () => {
    const ctx = await createTestApp(store)
    expect(await add(ctx, undefined, 'B\nA\n')).toEqual({
      promoSetId: ctx.app.label,
      totalRows: 2,
      duplicates: 0,
      alreadyThere: 0,
      alreadyUsed: 0,
    })
    expect(await take(ctx, [1, 2, 3])).toEqual(['A', 'B', undefined])
  })

  it('are given, also those that lie before the codes given last', async () => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, 'M\nN\nO\n')
    expect(await take(ctx, [1, 2])).toEqual(['M', 'N'])
    expect(await add(ctx, undefined, 'A\nM\nMM\nZ\n')).toMatchObject({ alreadyThere: 1, alreadyUsed: 0 })
    expect(await take(ctx, [3, 4, 5, 6, 7])).toEqual(['A', 'MM', 'O', 'Z', undefined])
    expect(await readSet(ctx)).toMatchObject({ codes: 6, given: 6 })
  })

  it('that the app gave before, from another set, are counted and not given again', async () => {
    const ctx = await createTestApp(store)
    await createCampaign(ctx, 'spring')
    await replace(ctx, 'spring', 'A\n')
    await take(ctx, [1], { trackId: 'spring' })
    await replace(ctx, undefined, 'M\n')
    await take(ctx, [2])
    expect(await add(ctx, undefined, 'A\nB\n')).toMatchObject({ alreadyThere: 0, alreadyUsed: 1 })
    expect(await take(ctx, [3, 4])).toEqual(['B', undefined])
  })

  it('need a campaign, and the file is not touched before that is known', async () => {
    const ctx = await createTestApp(store)
    const file = fileOf('A\n')
    await expect(addCampaignCodes(ctx, { trackId: 'none', file })).rejects.toMatchObject({ code: 'unknown-campaign' })
    expect(file.readableDidRead).toBe(false)
  })

  it('end the word that codes run low, which may be said again', async () => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, 'A\n')
    await store.query(sql`update promo_sets set low_told_at = now() where app_id = ${ctx.app.id}`)
    await raiseAlert(ctx, { kind: 'promo-low', subject: '', text: 'few', details: {} })
    await add(ctx, undefined, 'B\n')
    expect(await readSet(ctx)).toMatchObject({ low_told_at: null })
    expect(await store.query(sql`select from alerts where app_id = ${ctx.app.id} and cleared_at is null`)).toEqual([])
  })

  it.runIf(isThorough)('are as if all files had been one, in whatever order codes are taken meanwhile', async () => {
    const code = fc.string({ unit: fc.constantFrom('-', '0', 'A', 'a'), minLength: 1, maxLength: 3 })
    const file = fc.array(code, { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(file, fc.nat(6)), { minLength: 1, maxLength: 5 }), async (steps) => {
        const ctx = await createTestApp(store)
        const given: (string | undefined)[] = []
        let user = 0
        for (const [codes, takers] of steps) {
          await add(ctx, undefined, codes.join('\n'))
          if (takers > 0)
            given.push(
              ...(await take(
                ctx,
                Array.from({ length: takers }, () => ++user),
              )),
            )
        }
        given.push(
          ...(await take(
            ctx,
            Array.from({ length: 70 }, () => ++user),
          )),
        )
        const got = given.filter((each) => each !== undefined)
        const all = [...new Set(steps.flatMap(([codes]) => codes))].sort()
        expect([...got].sort()).toEqual(all)
        const rows = steps.reduce((sum, [codes]) => sum + codes.length, 0)
        const set = { total_rows: rows, codes: all.length, duplicates: rows - all.length, given: all.length }
        expect(await readSet(ctx)).toMatchObject(set)
      }),
      { numRuns: 25 },
    )
  })
})

describe('a file that is added', () => {
  it('is refused whole for a bad line, and the set stays as it was', async () => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, 'OLD\n')
    await expect(add(ctx, undefined, 'A\n!\n')).rejects.toMatchObject({ code: 'invalid-file', details: { lines: [2] } })
    expect(await activeCodes(ctx)).toEqual(['OLD'])
    expect(await add(ctx, undefined, 'B\n')).toMatchObject({ totalRows: 1 })
  })

  it.each([
    ['added', addGlobalCodes],
    ['put in place of the others', replaceGlobalCodes],
  ])('goes on without header and bad lines when that is asked for: %s', async (_title, upload) => {
    const ctx = await createTestApp(store)
    const file = fileOf('Promo code\nA\n!\nB\n')
    const answer = await upload(ctx, { file, hasHeader: true, leaveOutBadLines: true })
    expect(answer).toMatchObject({ totalRows: 2, duplicates: 0, leftOut: 1 })
    expect(await activeCodes(ctx)).toEqual(['A', 'B'])
  })

  it('is refused when nothing is left of it', async () => {
    const ctx = await createTestApp(store)
    const refused = addGlobalCodes(ctx, { file: fileOf('!\n?\n'), leaveOutBadLines: true })
    await expect(refused).rejects.toMatchObject({ code: 'invalid-file', message: /No line of the file is a code/ })
    expect(await activeCodes(ctx)).toEqual([])
  })

  it('lets others take codes while it comes in, and takes notice of how far they went', async () => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, 'B\nM\nZ\n')
    const file = new PassThrough()
    const adding = addGlobalCodes(ctx, { file })
    file.write('A\nN\n')
    expect(await take(ctx, [1, 2])).toEqual(['B', 'M'])
    file.end('ZZ\n')
    await adding
    expect(await take(ctx, [3, 4, 5, 6, 7])).toEqual(['A', 'N', 'Z', 'ZZ', undefined])
  })

  it('waits for whoever takes codes at its end, and offers what that one has passed', async () => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, 'B\nY\nZ\n')
    const wanted = { appId: ctx.app.id, messageId: timeOrderedId(ctx.now()), userNos: [1, 2] }
    let adding: ReturnType<typeof add> | undefined
    await store.transaction(async (tx) => {
      await takeCodes(tx, wanted)
      adding = add(ctx, undefined, 'A\nC\n')
      adding.catch(() => undefined)
      await until(
        () =>
          store.query(sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%promo_sets%'`),
        (waiting) => waiting.length > 0,
      )
    })
    expect(await adding).toMatchObject({ totalRows: 2 })
    expect(await take(ctx, [3, 4, 5, 6])).toEqual(['A', 'C', 'Z', undefined])
  })

  it('and others at the same time all end up in one set', async () => {
    const ctx = await createTestApp(store)
    const files = ['A\nB\n', 'B\nC\n', 'C\nD\n', 'D\nA\n']
    const answers = await Promise.all(files.map((file) => add(ctx, undefined, file)))
    expect(answers.reduce((sum, { alreadyThere }) => sum + alreadyThere, 0)).toBe(4)
    expect(await activeCodes(ctx)).toEqual(['A', 'B', 'C', 'D'])
    expect(await readSet(ctx)).toMatchObject({ total_rows: 8, codes: 4, duplicates: 4 })
  })
})
