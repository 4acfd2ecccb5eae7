import { openTwoProcesses, untilFollowed } from '@peyk/test/database/two-processes.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { expect, it } from 'vitest'
import { busOf } from './bus.ts'
import { SharedFigures } from './shared-figures.ts'

const [store, other] = await openTwoProcesses()
const hour = 3_600_000

it('are told to other processes, the latest of each, and never to oneself', async () => {
  const heard: unknown[] = []
  const own = new SharedFigures<number>(store, 'figures', { everyMs: 1, keptMs: hour })
  const theirs = new SharedFigures<number>(other, 'figures', {
    everyMs: 1,
    keptMs: hour,
    onHeard: (...told) => heard.push(told),
  })
  await untilFollowed(other)
  own.set('a', 1)
  own.set('a', 2)
  own.set('b', 7)
  await poll(() => theirs.ofOthers('a')).toEqual([2])
  expect([theirs.ofOthers('b'), theirs.ofOthers('c'), own.ofOthers('a')]).toEqual([[7], [], []])
  expect(heard).toEqual([
    ['a', 2],
    ['b', 7],
  ])
})

it('count for as long as they are kept', async () => {
  const own = new SharedFigures<number>(store, 'short', { everyMs: 1, keptMs: hour })
  const theirs = new SharedFigures<number>(other, 'short', { everyMs: 1, keptMs: 30 })
  const heard = new SharedFigures<number>(other, 'short', { everyMs: 1, keptMs: hour })
  await untilFollowed(other)
  own.set('a', 1)
  await poll(() => heard.ofOthers('a')).toEqual([1])
  await poll(() => theirs.ofOthers('a')).toEqual([])
})

it('are not told by a process that is alone', async () => {
  const told: unknown[] = []
  busOf(other).on('alone', (body) => told.push(body))
  await untilFollowed(other)
  const own = new SharedFigures<number>(store, 'alone', { everyMs: 1, keptMs: hour })
  busOf(store).peers.record([], performance.now())
  own.set('a', 1)
  busOf(store).peers.record([{ id: busOf(other).id, roles: [] }], performance.now())
  own.set('b', 2)
  await poll(() => told).toEqual([[busOf(store).id, [['b', 2]]]])
})
