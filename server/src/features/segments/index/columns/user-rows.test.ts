import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Bitmap, createBitmap } from './bitmap.ts'
import { UserRows } from './user-rows.ts'

const mostRows = 2_000
const anyRow = fc.nat(mostRows - 1)

/** Some move, and what is asked changes a little or altogether: what is remembered is followed, or given up. */
it('finds and counts the users of installations, whatever moved and was asked before', () => {
  const anyMove = fc.record({ kind: fc.constant('move' as const), row: anyRow, user: fc.oneof(anyRow, fc.nat(3)) })
  const anyFlip = fc.record({ kind: fc.constant('flip' as const), row: anyRow })
  const anyStride = fc.record({ kind: fc.constant('stride' as const), stride: fc.integer({ min: 1, max: 40 }) })
  const anyQuestion = fc.record({ kind: fc.constant('ask' as const), key: fc.nat(11) })
  const anyAct = fc.oneof(
    { weight: 6, arbitrary: anyMove },
    { weight: 6, arbitrary: anyFlip },
    { weight: 1, arbitrary: anyStride },
    { weight: 8, arbitrary: anyQuestion },
  )
  fc.assert(
    fc.property(fc.array(anyAct, { minLength: 100, maxLength: 400, size: 'max' }), (acts) => {
      const userRows = new UserRows()
      const userOf = new Map<number, number>()
      const asked = new Set<number>()
      let rows = 0
      const put = (row: number, user: number) => {
        rows = Math.max(rows, row + 1, user + 1)
        userRows.makeRoom(rows)
        userRows.put(row, user)
        userOf.set(row, user)
      }
      const toBits = (wanted: Iterable<number>) => {
        const bits: Bitmap = createBitmap(rows)
        for (const row of wanted) bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31))
        return bits
      }
      for (let row = 0; row < 1_500; row++) put(row, row % 1_000)
      for (const act of acts) {
        if (act.kind === 'move') put(act.row, act.user)
        else if (act.kind === 'flip') asked.has(act.row) ? asked.delete(act.row) : asked.add(act.row)
        else if (act.kind === 'stride') {
          asked.clear()
          for (let row = 0; row < mostRows; row += act.stride) asked.add(row)
        } else {
          const users = [...asked].filter((user) => user < rows)
          const spread = userRows.spread(toBits(users), rows, String(act.key))
          const known = [...userOf]
          const found = known.filter(([, user]) => asked.has(user)).map(([row]) => row)
          const isFound = (row: number) => ((spread[row >>> 5] as number) >>> (row & 31)) & 1
          expect(known.map(([row]) => row).filter(isFound)).toEqual(found)
          const installations = known.map(([row]) => row).filter((row) => asked.has(row))
          const expected = new Set(installations.map((row) => userOf.get(row))).size
          expect(userRows.countUsers(toBits(installations), String(act.key))).toBe(expected)
        }
      }
    }),
    { numRuns: 12 },
  )
})
