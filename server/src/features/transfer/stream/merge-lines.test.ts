import type { StreamType } from '@peyk/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { FoundLine } from './found-line.ts'
import { mergeLines } from './merge-lines.ts'
import { orderOf } from './place.ts'

const line = (us: number, key: string): FoundLine => ({ us, key, fields: {} as FoundLine['fields'] })
const keysOf = (lines: readonly FoundLine[]) => lines.map(({ key }) => key)

it('puts lines of all types into one order of time', () => {
  const { lines, isAll } = mergeLines([
    { type: 'event', lines: [line(1, 'e1'), line(3, 'e3')], hasMore: false },
    { type: 'delivery', lines: [line(2, 'd2'), line(3, 'd3')], hasMore: false },
  ])
  expect(keysOf(lines)).toEqual(['e1', 'd2', 'd3', 'e3'])
  expect(isAll).toBe(true)
})

it('ends where the first type that has more ends', () => {
  const { lines, isAll } = mergeLines([
    { type: 'event', lines: [line(1, 'e1'), line(3, 'e3')], hasMore: true },
    { type: 'delivery', lines: [line(3, 'd3'), line(4, 'd4')], hasMore: true },
    { type: 'uninstall', lines: [line(3, 'u3')], hasMore: false },
  ])
  expect(keysOf(lines)).toEqual(['e1', 'd3', 'e3'])
  expect(isAll).toBe(false)
})

it('read page by page, nothing is lost or doubled', () => {
  const types: StreamType[] = ['message.accepted', 'event', 'uninstall']
  const stored = fc.array(fc.record({ type: fc.constantFrom(...types), us: fc.integer({ min: 0, max: 6 }) }), {
    maxLength: 40,
  })
  fc.assert(
    fc.property(stored, fc.integer({ min: 1, max: 4 }), (rows, limit) => {
      const all = rows
        .map(({ type, us }, index) => ({ type, ...line(us, String(index).padStart(2, '0')) }))
        .sort((a, b) => a.us - b.us || orderOf(a.type) - orderOf(b.type) || (a.key < b.key ? -1 : 1))
      const read: string[] = []
      for (let turns = 0; turns <= rows.length; turns++) {
        const rest = all.filter(({ key }) => !read.includes(key))
        const pages = types.map((type) => {
          const own = rest.filter((each) => each.type === type)
          return { type, lines: own.slice(0, limit), hasMore: own.length > limit }
        })
        const { lines, isAll } = mergeLines(pages)
        read.push(...keysOf(lines))
        if (isAll) break
      }
      expect(read).toEqual(keysOf(all))
    }),
  )
})
