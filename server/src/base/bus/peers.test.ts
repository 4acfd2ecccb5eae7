import { expect, it } from 'vitest'
import { Peers } from './peers.ts'

const worker = { id: 'a', roles: ['worker'] }
const keeper = { id: 'b', roles: ['worker', 'index'] }

it('believes that there are others until the database says otherwise', () => {
  const peers = new Peers()
  expect(peers.areThere).toBe(true)
  peers.record([], 1)
  expect(peers.areThere).toBe(false)
  peers.record([worker, keeper], 2)
  expect(peers.areThere).toBe(true)
  expect(peers.withRole('index')).toEqual(['b'])
})

it('believes who joins, and no count that was asked for before', () => {
  const peers = new Peers()
  peers.record([], 1)
  peers.recordJoined(5)
  expect(peers.areThere).toBe(true)
  peers.record([], 4)
  expect(peers.areThere).toBe(true)
  expect(peers.count).toBe(1)
  peers.record([], 6)
  expect([peers.areThere, peers.count]).toEqual([false, 0])
})
