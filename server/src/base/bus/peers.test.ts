import { expect, it } from 'vitest'
import { Peers } from './peers.ts'

it('believes that there are others until the database says otherwise', () => {
  const peers = new Peers()
  expect(peers.areThere).toBe(true)
  peers.recordCount(0, 1)
  expect(peers.areThere).toBe(false)
  peers.recordCount(2, 2)
  expect(peers.areThere).toBe(true)
})

it('believes who joins, and no count that was asked for before', () => {
  const peers = new Peers()
  peers.recordCount(0, 1)
  peers.recordJoined(5)
  expect(peers.areThere).toBe(true)
  peers.recordCount(0, 4)
  expect(peers.areThere).toBe(true)
  expect(peers.count).toBe(1)
  peers.recordCount(0, 6)
  expect([peers.areThere, peers.count]).toEqual([false, 0])
})
