import type { Cap } from '@peyk/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideCap, keepCounted, type Use } from './cap.ts'

const HOUR = 3_600_000
const now = Date.UTC(2026, 10, 18)
const use = (hoursAgo: number, category = 'news', messageId = `at -${hoursAgo}`): Use => ({
  messageId,
  category,
  atMs: now - hoursAgo * HOUR,
})
const asked = { messageId: 'new', category: 'news', atMs: now }

describe('a cap', () => {
  const threeADay: Cap = { count: 3, window: '24h' }

  it.each<[string, Use[], Cap[], object]>([
    ['allows the first', [], [threeADay], { kind: 'free' }],
    ['allows the last', [use(3), use(1)], [threeADay], { kind: 'free' }],
    [
      'is full until its oldest leaves the window',
      [use(20), use(3), use(1)],
      [threeADay],
      { kind: 'full', cap: threeADay, by: ['at -20', 'at -3', 'at -1'], untilMs: now + 4 * HOUR },
    ],
    ['does not count what is as old as the window is long', [use(24), use(3), use(1)], [threeADay], { kind: 'free' }],
    [
      'counts what is a moment younger',
      [{ ...use(24), atMs: now - 24 * HOUR + 1 }, use(3), use(1)],
      [threeADay],
      { kind: 'full', untilMs: now + 1 },
    ],
    [
      'that was lowered waits until there is room below it',
      [use(20), use(10), use(3), use(1)],
      [{ count: 2, window: '24h' }],
      { kind: 'full', untilMs: now + 21 * HOUR },
    ],
    ['counts a message once', [use(3, 'news', 'new'), use(2), use(1)], [threeADay], { kind: 'counted' }],
    [
      'of other categories does not count',
      [use(1), use(2), use(3)],
      [{ ...threeADay, categories: ['orders'] }],
      { kind: 'free' },
    ],
    [
      'of several categories counts them together',
      [use(1, 'orders'), use(2), use(3, 'orders')],
      [{ ...threeADay, categories: ['news', 'orders'] }],
      { kind: 'full' },
    ],
    [
      'among several: the one that is full longest counts',
      [use(5), use(3), use(1)],
      [threeADay, { count: 3, window: '7d' }],
      { kind: 'full', cap: { window: '7d' }, untilMs: now + (7 * 24 - 5) * HOUR },
    ],
  ])('%s', (_what, uses, caps, expected) => {
    expect(decideCap(uses, caps, asked)).toMatchObject(expected)
  })

  it('keeps what a cap may still ask about, and nothing else', () => {
    const caps: Cap[] = [threeADay, { count: 1, window: '7d', categories: ['orders'] }]
    expect(keepCounted([use(100, 'orders'), use(30), use(2)], caps, now)).toEqual([use(100, 'orders'), use(2)])
  })

  it('is never exceeded in any window, and forgetting what is too old changes nothing', () => {
    const category = fc.constantFrom('news', 'orders', 'tips')
    const cap = fc.record({
      count: fc.integer({ min: 1, max: 4 }),
      window: fc.constantFrom('1h', '5h', '24h', '3d'),
      categories: fc.option(fc.uniqueArray(category, { minLength: 1 }), { nil: undefined }),
    })
    const sends = fc.array(fc.record({ category, minutesLater: fc.integer({ min: 0, max: 600 }) }), { maxLength: 60 })
    fc.assert(
      fc.property(fc.array(cap, { minLength: 1, maxLength: 3 }), sends, (given, arriving) => {
        const caps = given as Cap[]
        const all: Use[] = []
        let kept: Use[] = []
        let atMs = now
        for (const [index, { category: own, minutesLater }] of arriving.entries()) {
          atMs += minutesLater * 60_000
          const next = { messageId: String(index), category: own, atMs }
          const state = decideCap(all, caps, next)
          expect(decideCap(kept, caps, next).kind).toBe(state.kind)
          if (state.kind === 'full') expect(decideCap(all, caps, { ...next, atMs: state.untilMs }).kind).toBe('free')
          if (state.kind !== 'free') continue
          all.push(next)
          kept = [...keepCounted(kept, caps, atMs), next]
        }
        for (const one of caps) {
          const counted = all.filter((each) => one.categories === undefined || one.categories.includes(each.category))
          const length = Number.parseInt(one.window, 10) * (one.window.endsWith('d') ? 24 : 1) * HOUR
          for (const { atMs: end } of counted) {
            const within = counted.filter((each) => each.atMs <= end && each.atMs > end - length)
            expect(within.length).toBeLessThanOrEqual(one.count)
          }
        }
      }),
    )
  })
})
