import { createTestApp, createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { activeCodes, countRows, createCampaign, replace, take } from './promo.test-support.ts'
import { sweepPromoSets } from './sweep-promo-sets.ts'

const store = await createTestStore()
const job = { store, log: silentLog, now: () => new Date() }

describe('sweeping promo sets', () => {
  it('removes the codes of replaced sets, of all apps, and leaves the active ones and what was given', async () => {
    const [one, two] = [await createTestApp(store), await createTestApp(store)]
    for (const ctx of [one, two]) {
      await createCampaign(ctx, 'spring')
      await replace(ctx, 'spring', 'OLD-1\nOLD-2\nOLD-3\n')
      await replace(ctx, undefined, 'GLOBAL\n')
    }
    await take(one, [1, 2], { trackId: 'spring' })
    await replace(one, 'spring', 'NEW\nOLD-1\n')
    await replace(two, 'spring', 'NEW\n')
    expect(await sweepPromoSets(job)).toBe(6)
    expect(await activeCodes(one, 'spring')).toEqual(['NEW', 'OLD-1'])
    expect(await activeCodes(two)).toEqual(['GLOBAL'])
    expect(await countRows(one, 'promo_codes')).toBe(3)
    expect(await countRows(one, 'promo_sets')).toBe(3)
    expect(await take(one, [3, 4], { trackId: 'spring' })).toEqual(['NEW', 'GLOBAL'])
    expect(await sweepPromoSets(job)).toBe(0)
  })

  it('removes any number of codes, a piece at a time', async () => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, Array.from({ length: 45_000 }, (_, index) => `C-${index + 100_000}`).join('\n'))
    await replace(ctx, undefined, 'NEW\n')
    expect(await sweepPromoSets(job)).toBe(45_000)
    expect(await countRows(ctx, 'promo_codes')).toBe(1)
  })

  it('goes on where it was stopped', async () => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, 'OLD\n')
    await replace(ctx, undefined, 'NEW\n')
    expect(await sweepPromoSets({ ...job, signal: AbortSignal.abort() })).toBe(0)
    expect(await countRows(ctx, 'promo_codes')).toBe(2)
    expect(await sweepPromoSets(job)).toBe(1)
  })

  it('may run twice at once', async () => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, Array.from({ length: 5_000 }, (_, index) => `C-${index + 10_000}`).join('\n'))
    await replace(ctx, undefined, 'NEW\n')
    const removed = await Promise.all([sweepPromoSets(job), sweepPromoSets(job)])
    expect(removed[0] + removed[1]).toBe(5_000)
    const left = await store.query(sql`select code from promo_codes where app_id = ${ctx.app.id}`)
    expect(left).toEqual([{ code: 'NEW' }])
  })
})
