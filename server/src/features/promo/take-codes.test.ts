import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { timeOrderedId } from '#base/ids.ts'
import { countRows, createCampaign, replace, take } from './promo.test-support.ts'
import { returnCodes } from './return-codes.ts'

const store = await createTestStore()

async function createApp(sets: { campaign?: string[]; global?: string[] }): Promise<Context> {
  const ctx = await createTestApp(store)
  await createCampaign(ctx, 'spring')
  if (sets.campaign) await replace(ctx, 'spring', sets.campaign.join('\n'))
  if (sets.global) await replace(ctx, undefined, sets.global.join('\n'))
  return ctx
}

const spring = { trackId: 'spring' }

describe('codes that came back', () => {
  const back = (ctx: Context, messageId: string, userNos: number[]) =>
    ctx.store.transaction((tx) => returnCodes(tx, { appId: ctx.app.id, messageId, trackId: 'spring', userNos }))
  const given = async (ctx: Context) => {
    const rows = await store.query<{ given: number }>(sql`
      select given from promo_sets where app_id = ${ctx.app.id} and track_id = 'spring' order by set_no`)
    return rows.map((row) => row.given)
  }

  it('are given before all others, once', async () => {
    const ctx = await createApp({ campaign: ['A', 'B', 'C', 'D', 'E'] })
    const messageId = timeOrderedId(ctx.now())
    expect(await take(ctx, [1, 2, 3], { ...spring, messageId })).toEqual(['A', 'B', 'C'])
    await back(ctx, messageId, [1, 3])
    expect(await given(ctx)).toEqual([1])
    expect(await take(ctx, [7, 8, 9, 10, 11], spring)).toEqual(['A', 'C', 'D', 'E', undefined])
    expect(await given(ctx)).toEqual([5])
    expect(await countRows(ctx, 'promo_given')).toBe(5)
  })

  it('go to the set that is in use by now, when it has them and is past them, and nowhere else', async () => {
    const ctx = await createApp({ campaign: ['A', 'B'] })
    const messageId = timeOrderedId(ctx.now())
    expect(await take(ctx, [1, 2], { ...spring, messageId })).toEqual(['A', 'B'])
    await replace(ctx, 'spring', 'A\nM\nZ\n')
    expect(await take(ctx, [3], spring)).toEqual(['M'])
    await back(ctx, messageId, [1, 2])
    expect(await given(ctx)).toEqual([0, 1])
    expect(await take(ctx, [4, 5, 6], spring)).toEqual(['A', 'Z', undefined])
  })

  it('are not given twice where two sets have them', async () => {
    const ctx = await createApp({ campaign: ['A'], global: ['A', 'B'] })
    const messageId = timeOrderedId(ctx.now())
    expect(await take(ctx, [1, 2], { ...spring, messageId })).toEqual(['A', 'B'])
    await back(ctx, messageId, [1])
    expect(await take(ctx, [3, 4], spring)).toEqual(['A', undefined])
    expect(await take(ctx, [5])).toEqual([undefined])
  })
})

describe('taking codes for a message', () => {
  it('gives each user one of the campaign’s, in code order', async () => {
    const ctx = await createApp({ campaign: ['C', 'A', 'B'], global: ['G'] })
    expect(await take(ctx, [11, 12], spring)).toEqual(['A', 'B'])
    expect(await take(ctx, [13], spring)).toEqual(['C'])
  })

  it('goes on with the global set when the campaign’s is used up, then with nothing', async () => {
    const ctx = await createApp({ campaign: ['A'], global: ['G', 'H'] })
    expect(await take(ctx, [1, 2, 3, 4], spring)).toEqual(['A', 'G', 'H', undefined])
    expect(await take(ctx, [5], spring)).toEqual([undefined])
  })

  it('uses the global set for campaigns without codes, for unknown ones and for none', async () => {
    const ctx = await createApp({ global: ['G', 'H', 'I'] })
    expect(await take(ctx, [1], spring)).toEqual(['G'])
    expect(await take(ctx, [1], { trackId: 'never heard of' })).toEqual(['H'])
    expect(await take(ctx, [1])).toEqual(['I'])
  })

  it('gives nothing where there is no set, and takes nothing for nobody', async () => {
    const ctx = await createApp({})
    expect(await take(ctx, [1, 2], spring)).toEqual([undefined, undefined])
    expect(await take(ctx, [])).toEqual([])
  })

  it('gives the same code to a user again, and one to a user who is named twice', async () => {
    const ctx = await createApp({ campaign: ['A', 'B', 'C'] })
    const message = { ...spring, messageId: timeOrderedId(ctx.now()) }
    expect(await take(ctx, [1, 2, 1], message)).toEqual(['A', 'B', 'A'])
    expect(await take(ctx, [2, 3, 1], message)).toEqual(['B', 'C', 'A'])
    expect(await countRows(ctx, 'promo_given')).toBe(3)
  })

  it('gives the same code again after the set was replaced', async () => {
    const ctx = await createApp({ campaign: ['A'] })
    const message = { ...spring, messageId: timeOrderedId(ctx.now()) }
    expect(await take(ctx, [1], message)).toEqual(['A'])
    await replace(ctx, 'spring', 'N\n')
    expect(await take(ctx, [1, 2], message)).toEqual(['A', 'N'])
  })

  it('never gives a code twice, whichever sets hold it', async () => {
    const ctx = await createApp({ campaign: ['A', 'B', 'C', 'D'], global: ['A', 'B', 'E'] })
    expect(await take(ctx, [1, 2])).toEqual(['A', 'B'])
    expect(await take(ctx, [1, 2, 3, 4], spring)).toEqual(['C', 'D', 'E', undefined])
    await replace(ctx, 'spring', 'A\nB\nC\nD\nE\nF\n')
    expect(await take(ctx, [1, 2], spring)).toEqual(['F', undefined])
  })

  it('passes by any number of codes that were given before, once', async () => {
    const ctx = await createApp({})
    const codes = Array.from({ length: 3_000 }, (_, index) => `C-${index + 10_000}`)
    await replace(ctx, undefined, codes.join('\n'))
    await take(
      ctx,
      Array.from({ length: 2_990 }, (_, index) => index + 1),
    )
    await replace(ctx, undefined, codes.join('\n'))
    expect(await take(ctx, [1])).toEqual(['C-12990'])
    const [set] = await ctx.store.query<{ taken_up_to: string }>(sql`
      select taken_up_to from promo_sets where app_id = ${ctx.app.id} and state = 'active'`)
    expect(set?.taken_up_to).toBe('C-12990')
    expect(await take(ctx, [2, 3, 4])).toEqual(['C-12991', 'C-12992', 'C-12993'])
  })

  it('leaves the code to others when the transaction is undone', async () => {
    const ctx = await createApp({ campaign: ['A'] })
    const undone = ctx.store.transaction(async (tx) => {
      expect(await take({ ...ctx, store: { ...ctx.store, transaction: (work) => work(tx) } }, [1], spring)).toEqual([
        'A',
      ])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await take(ctx, [2], spring)).toEqual(['A'])
  })

  it('keeps apps apart', async () => {
    const [mine, other] = [await createApp({ campaign: ['A'] }), await createApp({ campaign: ['A'] })]
    const messageId = timeOrderedId(mine.now())
    expect(await take(mine, [1], { ...spring, messageId })).toEqual(['A'])
    expect(await take(other, [1], { ...spring, messageId })).toEqual(['A'])
    expect(await take(other, [2], { ...spring, messageId })).toEqual([undefined])
  })
})

describe('taking codes at the same time', () => {
  it('gives every code to one user only', async () => {
    const codes = Array.from({ length: 500 }, (_, index) => `C-${index + 1_000}`)
    const ctx = await createApp({ campaign: codes })
    const taken = await Promise.all(
      Array.from({ length: 40 }, (_, batch) =>
        take(
          ctx,
          Array.from({ length: 15 }, (_, index) => batch * 15 + index),
          spring,
        ),
      ),
    )
    const given = taken.flat().filter((code) => code !== undefined)
    expect(given).toHaveLength(500)
    expect(new Set(given)).toEqual(new Set(codes))
  })

  it('gives a user of several installations one code', async () => {
    const ctx = await createApp({ campaign: ['A', 'B', 'C', 'D'] })
    const messageId = timeOrderedId(ctx.now())
    const taken = await Promise.all(Array.from({ length: 10 }, () => take(ctx, [7], { ...spring, messageId })))
    expect(new Set(taken.flat())).toEqual(new Set(['A']))
    expect(await countRows(ctx, 'promo_given')).toBe(1)
  })

  it('gives a code that is in several sets once', async () => {
    const codes = Array.from({ length: 60 }, (_, index) => `C-${index + 100}`)
    const ctx = await createApp({ campaign: codes, global: codes })
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, batch) =>
        take(ctx, [batch * 3, batch * 3 + 1, batch * 3 + 2], batch % 2 === 0 ? spring : {}),
      ),
    )
    const given = taken.flat().filter((code) => code !== undefined)
    expect(new Set(given).size).toBe(given.length)
    expect(given).toHaveLength(60)
  })

  it('takes from the old set or the new one while it is replaced, never from the global one', async () => {
    const codes = (name: string) => Array.from({ length: 300 }, (_, index) => `${name}-${index + 1_000}`).join('\n')
    const ctx = await createApp({ global: ['GLOBAL'] })
    await replace(ctx, 'spring', codes('S0'))
    const replacing = (async () => {
      for (let round = 1; round <= 8; round++) await replace(ctx, 'spring', codes(`S${round}`))
    })()
    const taking = Array.from({ length: 8 }, async (_, taker) => {
      const taken: (string | undefined)[] = []
      for (let round = 0; round < 20; round++) taken.push(...(await take(ctx, [taker * 1_000 + round], spring)))
      return taken
    })
    const taken = (await Promise.all(taking)).flat()
    await replacing
    expect(taken).not.toContain('GLOBAL')
    expect(taken).not.toContain(undefined)
    expect(new Set(taken).size).toBe(160)
  })
})

describe('any order of uploads and takings', () => {
  it.runIf(isThorough)('agrees with a plain model', async () => {
    const code = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H')
    const step = fc.oneof(
      fc.record({ put: fc.constantFrom('spring', ''), codes: fc.array(code, { minLength: 1, maxLength: 6 }) }),
      fc.record({
        from: fc.constantFrom('spring', ''),
        users: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const ctx = await createApp({})
        const sets: Record<string, string[]> = {}
        const given = new Set<string>()
        for (const each of steps) {
          if ('put' in each) {
            await replace(ctx, each.put || undefined, each.codes.join('\n'))
            sets[each.put] = [...new Set(each.codes)].sort()
            continue
          }
          const next = () =>
            [...(each.from ? (sets[each.from] ?? []) : []), ...(sets[''] ?? [])].find((c) => !given.has(c))
          const expected = each.users.map(() => {
            const found = next()
            if (found) given.add(found)
            return found
          })
          expect(await take(ctx, each.users, each.from ? { trackId: each.from } : {})).toEqual(expected)
        }
      }),
      { numRuns: 40 },
    )
  })
})
