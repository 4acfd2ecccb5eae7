import { openTwoProcesses, untilFollowed } from '@peyk/test/database/two-processes.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { busOf } from '#base/bus/bus.ts'
import type { StepCounts } from '../count/count-steps.ts'
import type { ListedPart } from './listed-part.ts'
import type { SegmentIndexes } from './segment-indexes.ts'
import { SharedIndexes } from './shared-indexes.ts'

const [store, other] = await openTwoProcesses()
const question = { appId: 7, conditions: [], atMs: 0 }
const counts = { left: [3], users: 2 }
const opened: SharedIndexes[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each.stop()
})

function open(on: typeof store, own?: SegmentIndexes): SharedIndexes {
  const indexes = new SharedIndexes(on, own)
  opened.push(indexes)
  return indexes
}

/** What a process keeps, as far as it is asked. */
function keeping(
  count: () => Promise<StepCounts | undefined>,
  isReady = () => true,
  list: () => Promise<ListedPart[] | undefined> = async () => undefined,
) {
  const find = () => ({ isReady: isReady() })
  return { count: vi.fn(count), list: vi.fn(list), isReady: vi.fn(isReady), find } as unknown as SegmentIndexes
}

/** What the database says of the other one. */
function know(...roles: string[]): void {
  busOf(store).peers.record([{ id: busOf(other).id, roles }], performance.now())
}

describe('the indexes of segments of all processes', () => {
  it('are asked of the process that keeps them', async () => {
    know('index')
    const own = keeping(async () => counts)
    open(other, own)
    const indexes = open(store)
    await untilFollowed(store, other)
    expect(indexes.isReady(7)).toBe(true)
    expect(await indexes.count(question)).toEqual(counts)
    expect(own.count).toHaveBeenCalledWith(question)
  })

  it('list for others, too, as many as there are', async () => {
    know('index')
    const parts = Array.from({ length: 40 }, (_, index): ListedPart => {
      const bits = new Uint8Array(8_192).map(() => Math.floor(Math.random() * 256))
      return { upTo: (index + 1) * 65_536, count: index, bits }
    })
    const own = keeping(
      async () => undefined,
      () => true,
      async () => parts,
    )
    open(other, own)
    const indexes = open(store)
    await untilFollowed(store, other)
    const listed = await indexes.list(question)
    expect(listed?.map((part) => ({ ...part, bits: Uint8Array.from(part.bits) }))).toEqual(parts)
    expect(own.list).toHaveBeenCalledWith(question)
    expect(own.isReady).not.toHaveBeenCalled()
  })

  it('are not asked for where no process has the role', async () => {
    know('worker')
    const own = keeping(async () => counts)
    open(other, own)
    const indexes = open(store)
    expect([indexes.isReady(7), await indexes.count(question)]).toEqual([false, undefined])
    expect(own.count).not.toHaveBeenCalled()
  })

  it('are asked again at once about a rule that is not kept, but not about an app that has none', async () => {
    know('index')
    const answers = [true, false]
    const own = keeping(
      async () => undefined,
      () => answers.shift() as boolean,
    )
    open(other, own)
    const indexes = open(store)
    await untilFollowed(store, other)
    for (let asked = 0; asked < 4; asked++) expect(await indexes.count(question)).toBeUndefined()
    expect(own.count).toHaveBeenCalledTimes(2)
    expect([indexes.isReady(7), indexes.isReady(8)]).toEqual([false, true])
  })

  it('leave the count to SQL when the one does not answer, and do not wait for it again', async () => {
    know('index')
    const indexes = open(store)
    expect(await indexes.count(question)).toBeUndefined()
    expect([indexes.isReady(7), indexes.isReady(8)]).toEqual([false, false])
  })

  it('are divided among those who keep them, each app to one', async () => {
    know('index')
    busOf(other).peers.record([{ id: busOf(store).id, roles: ['index'] }], performance.now())
    const [mine, theirs] = [keeping(async () => ({ left: [1], users: 1 })), keeping(async () => counts)]
    const [here, there] = [open(store, mine), open(other, theirs)]
    await untilFollowed(store, other)
    for (let appId = 1; appId <= 20; appId++) {
      const asked = { ...question, appId }
      expect(await here.count(asked)).toEqual(await there.count(asked))
    }
    for (const own of [mine, theirs]) expect(own.count).toHaveBeenCalled()
  })

  it('are not disturbed by what is no question', async () => {
    know('index')
    open(
      other,
      keeping(async () => counts),
    )
    const indexes = open(store)
    await untilFollowed(store, other)
    for (const topic of ['ask-segment-index', 'segment-index-answered'])
      for (const body of [null, 7, [], { to: 'nobody' }]) await busOf(store).tell(topic, body)
    expect(await indexes.count(question)).toEqual(counts)
  })

  it('leave to SQL what is too long to be sent', async () => {
    know('index')
    const own = keeping(async () => counts)
    open(other, own)
    const values = Array.from({ length: 10_000 }, (_, index) => `value-${index}`)
    const conditions = [{ all: values }] as never
    expect(await open(store).count({ ...question, conditions })).toBeUndefined()
    expect(own.count).not.toHaveBeenCalled()
  })
})
