import { expect, it } from 'vitest'
import { DisconnectQueue } from './disconnect-queue.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('puts a crowd away in order, a few in every turn of the loop, and who comes meanwhile after them', async () => {
  const disconnectQueue = new DisconnectQueue()
  const gone: number[] = []
  const leave = (number: number) => disconnectQueue.leave(() => gone.push(number))
  for (let number = 0; number < 100; number++) leave(number)
  expect(gone).toEqual([])
  await turn()
  expect(gone.length).toBeGreaterThan(0)
  expect(gone.length).toBeLessThan(50)
  leave(100)
  while (gone.length < 101) await turn()
  expect(gone).toEqual(Array.from({ length: 101 }, (_, number) => number))
  leave(101)
  while (gone.length < 102) await turn()
})
