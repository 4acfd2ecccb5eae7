import type { LiveTopic } from '@peyk/contract'
import { expect, test } from 'vitest'
import type { LiveSample } from '#features/statistics/overview/sample-live.ts'
import { LiveBoard } from './live-board.ts'

const sample = (parts: Partial<Record<keyof LiveSample, object[]>>): LiveSample =>
  ({
    messages: [],
    events: [],
    watched: [],
    alerts: undefined,
    checklist: undefined,
    ...parts,
  }) as unknown as LiveSample
const reader = (topics: LiveTopic[], messageId?: string) => ({ topics: new Set(topics), messageId, knows: 0 })

test('a newcomer is told everything it asked for, later only what changed', () => {
  const board = new LiveBoard()
  board.put(sample({ messages: [{ id: 'a', n: 1 }, { id: 'b' }], events: [{ id: 'e' }], alerts: [] }))
  const own = reader(['messages', 'alerts'])
  expect(board.changesFor(own)).toEqual([
    { topic: 'messages', json: '[{"id":"a","n":1},{"id":"b"}]' },
    { topic: 'alerts', json: '[]' },
  ])
  own.knows = board.latest
  board.put(sample({ messages: [{ id: 'a', n: 1 }, { id: 'b' }], alerts: [] }))
  expect(board.changesFor(own)).toEqual([])
  board.put(sample({ messages: [{ id: 'a', n: 2 }, { id: 'b' }], alerts: [] }))
  expect(board.changesFor(own)).toEqual([{ topic: 'messages', json: '[{"id":"a","n":2}]' }])
})

test('a reader that missed samples gets the latest, once', () => {
  const board = new LiveBoard()
  const slow = reader(['messages'])
  for (let n = 1; n <= 5; n++) board.put(sample({ messages: [{ id: 'a', n }] }))
  board.put(sample({}))
  expect(board.changesFor(slow)).toEqual([{ topic: 'messages', json: '[{"id":"a","n":5}]' }])
})

test('a watched message is told to those who watch it', () => {
  const board = new LiveBoard()
  board.put(sample({ watched: [{ id: 'a' }, { id: 'b' }] }))
  expect(board.changesFor(reader(['message'], 'b'))).toEqual([{ topic: 'message', json: '{"id":"b"}' }])
  expect(board.changesFor(reader(['message']))).toEqual([])
})

test('what was not seen for long is forgotten', () => {
  const board = new LiveBoard()
  board.put(sample({ events: [{ id: 'e' }] }))
  for (let count = 0; count < 61; count++) board.put(sample({}))
  expect(board.changesFor(reader(['events']))).toEqual([])
})
