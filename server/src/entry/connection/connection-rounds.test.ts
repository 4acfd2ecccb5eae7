import { expect, it } from 'vitest'
import type { ClientConnection } from './client-connection.ts'
import { ConnectionRounds } from './connection-rounds.ts'
import { mayHaveMissed } from './upkeep.ts'

const limits = { atLeast: 20, turns: 5, youngMs: 30_000 }
const nowMs = 1_000_000

function open(count: number, openedAtMs = 0): ClientConnection[] {
  return Array.from({ length: count }, () => ({ stage: 'connected', openedAtMs }) as ClientConnection)
}

it('few are looked at in every turn', () => {
  const rounds = new ConnectionRounds(limits)
  const connected = open(20)
  for (let turn = 0; turn < 3; turn++) {
    expect(rounds.take(connected, { isComplete: false, nowMs })).toEqual({ connections: connected, endsRound: true })
  }
})

it.each([21, 100, 333])('of %i, each is looked at once in a round', (count) => {
  const rounds = new ConnectionRounds(limits)
  const connected = open(count)
  for (let round = 0; round < 2; round++) {
    const looked: ClientConnection[] = []
    let turns = 0
    for (let isEnd = false; !isEnd; turns++) {
      const { connections, endsRound } = rounds.take(connected, { isComplete: false, nowMs })
      looked.push(...connections)
      isEnd = endsRound
    }
    expect(turns).toBeLessThanOrEqual(limits.turns)
    expect(looked).toHaveLength(count)
    expect(new Set(looked)).toEqual(new Set(connected))
  }
})

it('whoever came a moment ago is looked at in every turn', () => {
  const rounds = new ConnectionRounds(limits)
  const young = open(3, nowMs - 29_000)
  const connected = [...open(50), ...young, ...open(50)]
  for (let turn = 0; turn < 5; turn++) {
    const { connections } = rounds.take(connected, { isComplete: false, nowMs })
    for (const each of young) expect(connections.filter((one) => one === each)).toHaveLength(1)
  }
})

it('whoever has gone since the round began is left out, and whoever came is in the next one', () => {
  const rounds = new ConnectionRounds(limits)
  const connected = open(40)
  rounds.take(connected, { isComplete: false, nowMs })
  const late = open(1)
  for (const connection of connected) connection.stage = 'closed'
  expect(rounds.take([...open(39), ...late], { isComplete: false, nowMs }).connections).toEqual([])
  const { connections } = rounds.take([...open(39), ...late], { isComplete: false, nowMs })
  expect(connections).toContain(late[0])
})

it('all are looked at when something may have been missed', () => {
  const rounds = new ConnectionRounds(limits)
  const connected = open(100)
  rounds.take(connected, { isComplete: false, nowMs })
  expect(rounds.take(connected, { isComplete: true, nowMs }).connections).toEqual(connected)
})

it('something may have been missed when nothing was heard for a while, or somebody died', () => {
  const before = { hearing: 1, others: ['a', 'b'] }
  expect(mayHaveMissed(before, { hearing: 1, others: ['b', 'a'] })).toBe(false)
  expect(mayHaveMissed(before, { hearing: 1, others: ['a', 'b', 'c'] })).toBe(false)
  expect(mayHaveMissed(before, { hearing: 2, others: ['a', 'b'] })).toBe(true)
  expect(mayHaveMissed(before, { hearing: undefined, others: ['a', 'b'] })).toBe(true)
  expect(mayHaveMissed(before, { hearing: 1, others: ['a', 'c'] })).toBe(true)
  expect(mayHaveMissed(undefined, before)).toBe(true)
})
