import fc from 'fast-check'
import { expect, it } from 'vitest'
import { connectionsOf, shareConnections } from './share-connections.ts'

it('divides the pool among the processes', () => {
  expect(shareConnections({ processes: 2, poolSize: 16 })).toEqual({ processes: 2, poolSizeOfEach: 8 })
  expect(shareConnections({ processes: 8, poolSize: 64 }, 97)).toEqual({ processes: 8, poolSizeOfEach: 8 })
})

it('leaves every process enough to work with', () => {
  expect(shareConnections({ processes: 8, poolSize: 12 })).toEqual({ processes: 8, poolSizeOfEach: 3 })
})

it('makes the pools smaller where PostgreSQL allows fewer, and then has fewer processes', () => {
  expect(shareConnections({ processes: 8, poolSize: 64 }, 72)).toEqual({ processes: 8, poolSizeOfEach: 5 })
  expect(shareConnections({ processes: 8, poolSize: 64 }, 22)).toEqual({ processes: 2, poolSizeOfEach: 4 })
  expect(shareConnections({ processes: 8, poolSize: 64 }, 5)).toEqual({ processes: 1, poolSizeOfEach: 3 })
})

it('never has more connections than PostgreSQL allows, when that allows the fewest that a service needs', () => {
  const given = fc.record({ processes: fc.integer({ min: 1, max: 64 }), poolSize: fc.integer({ min: 3, max: 1_000 }) })
  fc.assert(
    fc.property(given, fc.integer({ min: 14, max: 2_000 }), (wanted, limit) => {
      expect(connectionsOf(shareConnections(wanted, limit))).toBeLessThanOrEqual(limit)
    }),
  )
})
