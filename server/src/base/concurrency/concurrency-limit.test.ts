import { describe, expect, it } from 'vitest'
import { limitConcurrency } from './concurrency-limit.ts'

function works() {
  const ends: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => ends.push(resolve))
  return { ends, work }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('turns', () => {
  it('lets so many run at once, the others one after another', async () => {
    const { ends, work } = works()
    const inTurn = limitConcurrency({ atOnce: 2, waiting: { max: 5, tooMany: 'Too many.' } })
    const all = [inTurn(work), inTurn(work), inTurn(work), inTurn(work)]
    await settle()
    expect(ends).toHaveLength(2)
    ends[0]?.()
    await settle()
    expect(ends).toHaveLength(3)
    for (const index of [1, 2, 3]) {
      ends[index]?.()
      await settle()
    }
    await Promise.all(all)
  })

  it('sends away who comes when too many wait', async () => {
    const { ends, work } = works()
    const inTurn = limitConcurrency({ atOnce: 1, waiting: { max: 1, tooMany: 'Too many.' } })
    const all = [inTurn(work), inTurn(work)]
    await expect(inTurn(work)).rejects.toMatchObject({ status: 429, message: 'Too many.', retryAfterSeconds: 5 })
    ends[0]?.()
    await settle()
    ends[1]?.()
    await Promise.all(all)
  })

  it('goes on after one that failed', async () => {
    const inTurn = limitConcurrency({ atOnce: 1, waiting: { max: 1, tooMany: 'Too many.' } })
    const failing = inTurn(async () => {
      throw new Error('away')
    })
    const next = inTurn(async () => 'done')
    await expect(failing).rejects.toThrow('away')
    expect(await next).toBe('done')
    expect(await inTurn(async () => 'again')).toBe('again')
  })
})
