import { expect, it } from 'vitest'
import { TurnsQueue } from './turns-queue.ts'

const queueOf = (...items: string[]) => {
  const queue = new TurnsQueue<string>((item) => item[0] as string)
  for (const item of items) queue.push(item)
  return queue
}
const drain = (queue: TurnsQueue<string>) => Array.from({ length: queue.length }, () => queue.shift())

it('lets messages take turns, each in its own order', () => {
  const queue = queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'c2')
  expect(queue.keys).toEqual(['a', 'b', 'c'])
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  expect([queue.length, queue.keys, queue.shift()]).toEqual([0, [], undefined])
})

it('gives a message that comes later its turn after those that wait', () => {
  const queue = queueOf('a1', 'a2', 'a3')
  expect(queue.shift()).toBe('a1')
  queue.push('b1')
  expect(drain(queue)).toEqual(['a2', 'b1', 'a3'])
})

it('takes out what is meant, and keeps the rest in order', () => {
  const queue = queueOf('a1', 'a2', 'b1', 'b2')
  expect(queue.takeWhere((item) => item === 'a1' || item.startsWith('b'))).toEqual(['a1', 'b1', 'b2'])
  expect([queue.length, queue.keys]).toEqual([1, ['a']])
  expect(queue.takeAll()).toEqual(['a2'])
  expect(queue.length).toBe(0)
})
