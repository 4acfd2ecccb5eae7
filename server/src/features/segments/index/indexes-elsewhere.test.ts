import { describe, expect, it, vi } from 'vitest'
import { type IndexAnswer, IndexesElsewhere } from './indexes-elsewhere.ts'

const question = { appId: 7, conditions: [], atMs: 0 }
const counts = { left: [3], users: 2 }

describe('a process that does not keep the indexes of segments', () => {
  it('answers what the one says that keeps them', async () => {
    const ask = vi.fn(async (): Promise<IndexAnswer> => ({ isReady: true, counts }))
    const elsewhere = new IndexesElsewhere(ask)
    expect(await elsewhere.count(question)).toEqual(counts)
    expect(ask).toHaveBeenCalledWith(question)
  })

  it('asks again at once about a rule that the index does not keep, but not about an app that has none', async () => {
    const answers: IndexAnswer[] = [{ isReady: true }, { isReady: false }]
    const ask = vi.fn(async () => answers.shift() as IndexAnswer)
    const elsewhere = new IndexesElsewhere(ask)
    for (let asked = 0; asked < 4; asked++) expect(await elsewhere.count(question)).toBeUndefined()
    expect(ask).toHaveBeenCalledTimes(2)
    expect([elsewhere.isReady(7), elsewhere.isReady(8)]).toEqual([false, true])
  })

  it('leaves the count to SQL when the other one does not answer', async () => {
    vi.useFakeTimers()
    const elsewhere = new IndexesElsewhere(() => new Promise(() => undefined))
    const counting = elsewhere.count(question)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await counting).toBeUndefined()
    vi.useRealTimers()
  })
})
