import type { DryRun } from '@peyk/contract'
import { describe, expect, it } from 'vitest'
import { en } from '#texts/en.ts'
import { fa } from '#texts/fa.ts'
import { createFormat } from '#texts/format.ts'
import { findRisks, sayRisk } from './find-risks.ts'

const plain: DryRun = { dryRun: true, count: 742, outcomes: [], samples: [], faults: [], faultCodes: [] }
const limits = { quietHours: { from: '22:00', to: '08:00' }, caps: [], controlGroup: 0 }
const noLimits = { caps: [], controlGroup: 0 }
type Checked = Parameters<typeof findRisks>[0]
const find = (given: { dryRun?: Partial<DryRun>; users?: number; message?: object; app?: object }) =>
  findRisks({
    dryRun: { ...plain, ...given.dryRun },
    users: given.users ?? 323,
    message: (given.message ?? {}) as Checked['message'],
    app: (given.app ?? noLimits) as Checked['app'],
  })
const say = (risks: ReturnType<typeof findRisks>) =>
  risks.map((risk) => sayRisk(risk, en.send.plan.risks, createFormat('en')))

describe('limits that do not apply', () => {
  it('are said of a send to a group without a category, in an app that has limits', () => {
    expect(find({ app: limits })).toEqual([{ kind: 'no-limits' }])
    expect(find({ app: { ...noLimits, caps: [{ count: 3, window: '24h' }] } })).toEqual([{ kind: 'no-limits' }])
    expect(find({ app: { ...noLimits, controlGroup: 5 } })).toEqual([{ kind: 'no-limits' }])
    expect(say(find({ app: limits }))[0]).toContain('do not apply')
  })

  it('are not said where there are none, where they apply, where that was chosen, or to named users', () => {
    expect(find({})).toEqual([])
    expect(find({ app: limits, dryRun: { category: 'news' } })).toEqual([])
    expect(find({ app: limits, message: { category: 'transactional' } })).toEqual([])
    expect(find({ app: limits, message: { users: ['sara'] } })).toEqual([])
    expect(find({ app: limits, message: { user: 'sara' } })).toEqual([])
  })
})

describe('codes of later occurrences', () => {
  const promo = { needed: 82, campaignLeft: 17, globalLeft: 0, missing: 65, sampleCode: 'X' }
  const repeat = { rule: 'FREQ=WEEKLY;BYDAY=MO' }

  it('are counted: each occurrence needs as many again', () => {
    const found = find({ dryRun: { promo }, message: { repeat } })
    expect(found).toEqual([{ kind: 'codes-later', needed: 82, left: 17 }])
    expect(say(found)).toEqual([
      'Every occurrence needs 82 promo codes, and 17 are left: not enough for the first one. Upload more before each date.',
    ])
    const one = { ...promo, campaignLeft: 100, globalLeft: 63, missing: 0 }
    expect(say(find({ dryRun: { promo: one }, message: { repeat } }))[0]).toContain('enough for one occurrence')
  })

  it('are enough for two, or for as many as there are', () => {
    const many = { ...promo, campaignLeft: 164, missing: 0 }
    expect(find({ dryRun: { promo: many }, message: { repeat } })).toEqual([])
    expect(find({ dryRun: { promo: many }, message: { repeat: { ...repeat, count: 3 } } })).toHaveLength(1)
    expect(find({ dryRun: { promo }, message: {} })).toEqual([])
  })
})

describe('a test', () => {
  const variants = { A: 74, B: 74 }
  const winner = { by: 'opened', after: '4h', testShare: 20, otherwise: 'A' }

  it('that is too small to decide says so, with the share that suffices', () => {
    const found = find({ dryRun: { variants }, message: { variants: [], winner } })
    expect(found).toEqual([{ kind: 'test-too-small', name: 'A', users: 32, hasWinner: true, testShare: 75 }])
    expect(say(found)).toEqual([
      'Too small to decide: variant A gets about 32 users, and a winner needs at least 100 per variant. Test with 75% of the users.',
    ])
  })

  it('says when no share is enough', () => {
    const found = find({ dryRun: { variants: { A: 5, B: 5 } }, message: { winner } })
    expect(found).toMatchObject([{ testShare: undefined }])
    expect(say(found)[0]).toContain('too few users')
    for (const each of [...found, ...find({ dryRun: { variants }, message: { winner } })])
      expect(sayRisk(each, fa.send.plan.risks, createFormat('fa'))).not.toBe('')
  })

  it('without a winner is too small to compare; a large one is neither', () => {
    expect(say(find({ dryRun: { variants }, message: {} }))[0]).toContain('Too small to compare')
    expect(find({ dryRun: { variants: { A: 371, B: 371 } }, message: { winner } })).toEqual([])
    expect(find({ dryRun: { count: 80_000, variants: { A: 4_000, B: 4_000 } }, message: { winner } })).toHaveLength(1)
  })

  it('has a control group that is large enough to compare conversions with', () => {
    const dryRun = { variants: { default: 700, control: 42 } }
    expect(find({ dryRun, message: { control: 5, goal: { event: 'Order' } } })).toMatchObject([{ name: 'control' }])
    expect(find({ dryRun, message: { control: 5 } })).toEqual([])
  })
})
