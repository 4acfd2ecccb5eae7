import fc from 'fast-check'
import { expect, it } from 'vitest'
import { KeyTable } from './key-table.ts'

/** Near one another, and far: many share a slot. */
const anyKey = fc.oneof(
  fc.nat(40),
  fc.nat(40).map((key) => key * 64),
  fc.nat(40).map((key) => key + 2 ** 32),
)

it('finds each key at a place of its own, whatever was added and removed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), anyKey), { maxLength: 400 }), (changes) => {
      const table = new KeyTable('wide')
      const places = new Map<number, number>()
      for (const [isAdded, key] of changes) {
        if (isAdded) places.set(key, table.add(key))
        else {
          expect(table.remove(key)).toBe(places.get(key) ?? -1)
          places.delete(key)
        }
      }
      for (const [, key] of changes) expect(table.find(key)).toBe(places.get(key) ?? -1)
      expect(table.size).toBe(places.size)
      expect(new Set(places.values()).size).toBe(places.size)
      const held = Array.from({ length: table.length }, (_, place) => place).filter((place) => !table.isFree(place))
      expect(held.map((place) => (table.keys[place] as number) - 1).sort()).toEqual([...places.keys()].sort())
    }),
  )
})
