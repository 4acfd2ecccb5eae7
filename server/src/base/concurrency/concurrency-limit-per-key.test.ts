import { expect, it } from 'vitest'
import { limitConcurrencyPerKey } from './concurrency-limit-per-key.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

function begin(limit: Parameters<typeof limitConcurrencyPerKey>[0]) {
  const inTurn = limitConcurrencyPerKey<string>(limit)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (owner: string, name: string) =>
    inTurn(owner, () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await settle()
  }
  return { run, started, end }
}

it('leaves turns to others when one has as many as it may', async () => {
  const { run, started, end } = begin({ ofEach: 2, ofAll: 4 })
  const all = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1')]
  await settle()
  expect(started).toEqual(['a1', 'a2', 'b1'])
  await end('a1')
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3'])
  for (const name of ['a2', 'a3', 'b1']) await end(name)
  await Promise.all(all)
})

it('goes round among those who wait', async () => {
  const { run, started, end } = begin({ ofEach: 2, ofAll: 2 })
  const all = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('a', 'a4'), run('b', 'b1')]
  await settle()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'a4']) await end(name)
  await Promise.all(all)
  expect(started.indexOf('b1')).toBeLessThan(started.indexOf('a4'))
})

it('sends away who comes when too many of the same owner wait, and nobody else', async () => {
  const { run, started, end } = begin({ ofEach: 1, ofAll: 2, waiting: { max: 1, tooMany: 'Too many.' } })
  const all = [run('a', 'a1'), run('a', 'a2')]
  await expect(run('a', 'a3')).rejects.toMatchObject({ status: 429, message: 'Too many.', retryAfterSeconds: 5 })
  all.push(run('b', 'b1'))
  await settle()
  expect(started).toEqual(['a1', 'b1'])
  for (const name of ['a1', 'a2', 'b1']) await end(name)
  await Promise.all(all)
})

it('goes on after one that failed', async () => {
  const inTurn = limitConcurrencyPerKey<string>({ ofEach: 1, ofAll: 1 })
  const failing = inTurn('a', () => Promise.reject(new Error('away')))
  const next = inTurn('a', async () => 'done')
  await expect(failing).rejects.toThrow('away')
  expect(await next).toBe('done')
})

it('refuses newcomers when too many of all owners wait, and lets those who wait have their turns', async () => {
  const { run, started, end } = begin({ ofEach: 1, ofAll: 1, waiting: { max: 2, maxOfAll: 3, tooMany: 'Too many.' } })
  const all = [run('a', 'a1'), run('b', 'b1'), run('c', 'c1'), run('d', 'd1')]
  await expect(run('e', 'e1')).rejects.toMatchObject({ status: 429, message: 'Too many.' })
  await settle()
  await end('a1')
  all.push(run('e', 'e2'))
  for (const name of ['b1', 'c1', 'd1', 'e2']) await end(name)
  await Promise.all(all)
  expect(started).toEqual(['a1', 'b1', 'c1', 'd1', 'e2'])
})

it('makes room for an owner with few waiting by refusing the last of the one with the most', async () => {
  const { run, started, end } = begin({ ofEach: 1, ofAll: 1, waiting: { max: 9, maxOfAll: 3, tooMany: 'Too many.' } })
  const all = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3')]
  const last = expect(run('a', 'a4')).rejects.toMatchObject({ status: 429, message: 'Too many.' })
  all.push(run('b', 'b1'))
  await last
  await expect(run('a', 'a5')).rejects.toMatchObject({ status: 429 })
  await expect(run('b', 'b2')).rejects.toMatchObject({ status: 429 })
  await settle()
  for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name)
  await Promise.all(all)
  expect(started.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1'])
})
