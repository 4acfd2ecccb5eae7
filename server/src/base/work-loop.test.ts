import { silentLog } from '@peyk/test/database/test-store.ts'
import { until } from '@peyk/test/runner/until.ts'
import { expect, it, onTestFinished } from 'vitest'
import { createWorkLoop, type InFlight } from './work-loop.ts'

interface Task {
  receiver: string
  name: string
}

/** A loop whose work ends when it is told to. */
function createTestLoop(due: Task[], { settle }: { settle?: (names: readonly string[]) => Promise<void> } = {}) {
  const ends = new Map<string, () => void>()
  const stored: string[] = []
  const seen: InFlight<Task>[][] = []
  const loop = createWorkLoop<Task, string>({
    ...{ name: 'testing', log: silentLog, everyMs: 20, stopMs: 50 },
    take: async (inFlight) => {
      seen.push([...inFlight])
      return { work: due.splice(0), hasMore: false }
    },
    receiverOf: ({ receiver }) => receiver,
    run: ({ name }) => new Promise((resolve) => ends.set(name, () => resolve(name))),
    settle: async (names) => {
      await settle?.(names)
      stored.push(...names)
    },
  })
  onTestFinished(() => loop.stop())
  loop.start()
  return { loop, stored, seen, end: (name: string) => ends.get(name)?.(), running: ends }
}

it('stores the results of some while others are under way, and knows how many those are', async () => {
  const tasks = [
    { receiver: 'a', name: 'a1' },
    { receiver: 'a', name: 'a2' },
    { receiver: 'b', name: 'b1' },
  ]
  const { stored, seen, end, running } = createTestLoop([...tasks])
  await until(
    () => running.size,
    (count) => count === 3,
  )
  end('a1')
  await until(
    () => [...stored],
    (names) => names.length === 1,
  )
  const counts = await until(
    () => seen.at(-1)?.map(({ work, count }) => [work.receiver, count]),
    (last) => last?.length === 2 && last[0]?.[1] === 1,
  )
  expect(counts).toEqual([
    ['a', 1],
    ['b', 1],
  ])
  end('a2')
  end('b1')
  await until(
    () => [...stored].sort(),
    (names) => names.join() === 'a1,a2,b1',
  )
})

it('stores with the next what could not be stored', async () => {
  let failures = 2
  const settle = async () => {
    if (failures-- > 0) throw new Error('no')
  }
  const { stored, end, running } = createTestLoop([{ receiver: 'a', name: 'a1' }], { settle })
  await until(
    () => running.size,
    (count) => count === 1,
  )
  end('a1')
  await until(
    () => [...stored],
    (names) => names.length > 0,
  )
  expect(stored).toEqual(['a1'])
})

it('stores what has ended when it is stopped, and does not wait for ever for the rest', async () => {
  const tasks = ['a', 'b'].map((name) => ({ receiver: name, name }))
  const { loop, stored, end, running } = createTestLoop(tasks)
  await until(
    () => running.size,
    (count) => count === 2,
  )
  const stopped = loop.stop()
  end('a')
  await stopped
  expect(stored).toEqual(['a'])
})
