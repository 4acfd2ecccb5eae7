import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { defineBatch } from './batch.ts'
import type { Context } from './context.ts'
import { RequestError } from './errors.ts'
import type { Store } from './store/store.ts'
import type { Span } from './trace/span.ts'
import { traceHere } from './trace/tracer.test-support.ts'
import { currentSpan, runInSpan, startEntry } from './trace/tracing.ts'

const store = await createTestStore()
let ctx: Context

beforeAll(async () => {
  ctx = await createTestApp(store)
  await store.query(
    sql`create table written (position bigint generated always as identity, value integer not null check (value >= 0))`,
  )
})

function defineWriter(maxWeight = 1000, batches: number[][] = []) {
  return defineBatch<number, number>({
    name: 'write',
    maxWeight,
    flush: async (tx, items) => {
      batches.push(items)
      await tx.query(sql`insert into written (value) select * from unnest(${items}::int[])`)
      return items.map((item) => (item === 404 ? new RequestError('not-found', 'no 404') : item))
    },
  })
}

function listeningLog() {
  const text: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void text.push(line) })
  return { log, lines: () => text.map((line) => JSON.parse(line)) }
}

async function writtenValues() {
  const rows = await store.query<{ value: number }>(sql`select value from written order by position`)
  return rows.map((row) => row.value)
}

describe('a batch', () => {
  it('commits calls that come together in few transactions, in the order of their arrival', async () => {
    const batches: number[][] = []
    const write = defineWriter(1000, batches)
    const values = Array.from({ length: 500 }, (_, index) => 1000 + index)
    expect(await Promise.all(values.map((value) => write(ctx, value)))).toEqual(values)
    expect((await writtenValues()).filter((value) => value >= 1000 && value < 1500)).toEqual(values)
    expect(batches.length).toBeLessThan(5)
  })

  it('answers nothing that is not committed', async () => {
    const write = defineWriter()
    const failing: typeof store = {
      ...store,
      transaction: (work) =>
        store.transaction(async (tx) => {
          await work(tx)
          throw new Error('the commit failed')
        }),
    }
    await expect(write({ ...ctx, store: failing }, 77)).rejects.toThrow('the commit failed')
    expect(await writtenValues()).not.toContain(77)
  })

  it('keeps the order of what has the same key, in two lanes', async () => {
    const flushed: string[] = []
    const write = defineBatch<string, string>({
      name: 'lanes',
      maxWeight: 3,
      laneKey: (input) => input.charAt(0),
      flush: async (tx, items) => {
        await tx.query(sql`select pg_sleep(${(flushed.length % 7) / 3_000})`)
        flushed.push(...items)
        return items
      },
    })
    const inputs = Array.from(
      { length: 60 },
      (_, index) => `${'abc'.charAt(index % 3)}${String(index).padStart(2, '0')}`,
    )
    await Promise.all(inputs.map((input) => write(ctx, input)))
    for (const key of 'abc') {
      const ofKey = flushed.filter((input) => input.startsWith(key))
      expect(ofKey).toEqual([...ofKey].sort())
      expect(ofKey).toHaveLength(20)
    }
  })

  it('lets nothing usual overtake what came before it with the same key', async () => {
    const flushed: string[] = []
    const write = defineBatch<string, string>({
      name: 'overtaking',
      maxWeight: 100,
      laneKey: (input) => input.charAt(0),
      fastPath: {
        isEligible: (input) => !input.endsWith('!'),
        flush: async (_store, items) => {
          flushed.push(...items)
          return items
        },
      },
      flush: async (_tx, items) => {
        flushed.push(...items)
        return items
      },
    })
    // Both keys are in one lane, so that all of it is one batch.
    const inputs = ['a1', 'a2!', 'c1', 'a3', 'c2', 'a4!', 'a5']
    expect(await Promise.all(inputs.map((input) => write(ctx, input)))).toEqual(inputs)
    expect(flushed).toEqual(['a1', 'c1', 'c2', 'a2!', 'a3', 'a4!', 'a5'])
  })

  it('leaves to its transaction what could not be written the usual way', async () => {
    const inTransaction: number[] = []
    const write = defineBatch<number, number>({
      name: 'left',
      maxWeight: 100,
      fastPath: {
        isEligible: () => true,
        flush: async (_store, items) => items.map((item) => (item % 2 ? item : undefined)),
      },
      flush: async (_tx, items) => {
        inTransaction.push(...items)
        return items
      },
    })
    expect(await Promise.all([1, 2, 3, 4].map((value) => write(ctx, value)))).toEqual([1, 2, 3, 4])
    expect(inTransaction).toEqual([2, 4])
  })

  it('waits for more while several come at a time, and never for longer than it is full', async () => {
    const batches: number[][] = []
    const write = defineBatch<number, number>({
      name: 'gathering',
      maxWeight: 3,
      gatherMs: 600_000,
      flush: async (_tx, items) => {
        batches.push(items)
        return items
      },
    })
    await write(ctx, 1)
    await write(ctx, 2)
    expect(batches).toEqual([[1], [2]])
    const waiting = [write(ctx, 3)]
    // They come one after the other, with time for a batch in between.
    for (const value of [4, 5]) {
      waiting.push(write(ctx, value))
      await ctx.store.query(sql`select 1`)
      if (value === 4) expect(batches).toHaveLength(2)
    }
    await Promise.all(waiting)
    expect(batches).toEqual([[1], [2], [3, 4, 5]])
  })

  it('is never heavier than its limit', async () => {
    const batches: number[][] = []
    const write = defineWriter(7, batches)
    await Promise.all(Array.from({ length: 50 }, (_, index) => write(ctx, index)))
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(7)
  })

  it('fails one bad item without failing its neighbours', async () => {
    const write = defineWriter()
    const results = await Promise.allSettled([1, 2, -1, 3, 404, 4].map((value) => write(ctx, value)))
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(results[4]).toMatchObject({ reason: { code: 'not-found' } })
  })

  it('fails one item that is refused by a throw without failing its neighbours, and logs what failed', async () => {
    const { log, lines } = listeningLog()
    const write = defineBatch<number, number>({
      name: 'thrown',
      maxWeight: 100,
      flush: async (_tx, items) => {
        if (items.includes(404)) throw new RequestError('not-found', 'no 404')
        return items
      },
    })
    const own = { ...ctx, log, store: Object.create(ctx.store) as Context['store'] }
    const results = await Promise.allSettled([1, 2, 404, 3].map((value) => write(own, value)))
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code))).toEqual([
      1,
      2,
      'not-found',
      3,
    ])
    expect(lines()).toContainEqual(expect.objectContaining({ batch: 'thrown', count: 4 }))
  })

  it('logs what could not go the usual way, and writes it nevertheless', async () => {
    const { log, lines } = listeningLog()
    const write = defineBatch<number, number>({
      name: 'unusual',
      maxWeight: 100,
      fastPath: {
        isEligible: () => true,
        flush: async (_store, items) => {
          throw items.includes(2) ? new RequestError('not-found', 'no 2') : new Error('spoiled')
        },
      },
      flush: async (_tx, items) => items,
    })
    const own = { ...ctx, log, store: Object.create(ctx.store) as Context['store'] }
    expect(await Promise.all([1, 2, 3].map((value) => write(own, value)))).toEqual([1, 2, 3])
    expect(await write(own, 4)).toBe(4)
    expect(lines()).toMatchObject([
      { batch: 'unusual', count: 3, err: { message: 'no 2' } },
      { batch: 'unusual', count: 1, err: { message: 'spoiled' } },
    ])
  })

  it('fails as a whole, and at once, when the database is away', async () => {
    const batches: number[][] = []
    const write = defineBatch<number, number>({
      name: 'away',
      maxWeight: 100,
      flush: async (_tx, items) => {
        batches.push(items)
        throw new RequestError('store-away', 'away')
      },
    })
    const results = await Promise.allSettled([1, 2, 3].map((value) => write(ctx, value)))
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(batches).toEqual([[1, 2, 3]])
  })

  it('writes in the transaction of the caller when there is one', async () => {
    const write = defineWriter()
    const failure = store.transaction(async (tx) => {
      await write({ ...ctx, tx }, 77_777)
      throw new Error('rolled back')
    })
    await expect(failure).rejects.toThrow('rolled back')
    expect(await writtenValues()).not.toContain(77_777)
  })

  it('is flushed when the store drains', async () => {
    const write = defineWriter(3)
    const calls = Promise.all(Array.from({ length: 20 }, () => write(ctx, 88_888)))
    await store.drain()
    expect((await writtenValues()).filter((value) => value === 88_888)).toHaveLength(20)
    await calls
  })

  it('leaves room for others when one app has more waiting than it may', async () => {
    const other = await createTestApp(store)
    let go: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const write = defineBatch<number, number>({
      name: 'heavy',
      maxWeight: 1,
      weight: (weight) => weight,
      flush: async (_tx, items) => {
        await gate
        return items
      },
    })
    const first = write(ctx, 60_000)
    const second = write(ctx, 40_000)
    await expect(write(ctx, 1)).rejects.toMatchObject({ code: 'store-busy', status: 503 })
    const others = write(other, 60_000)
    go()
    expect(await Promise.all([first, second, others])).toEqual([60_000, 40_000, 60_000])
    expect(await write(ctx, 100_000)).toBe(100_000)
  })
})

describe('what has waited long', () => {
  it('is given the present time before each attempt, with all of its batch', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const written: string[][] = []
    const first = Promise.withResolvers<void>()
    const write = defineBatch<string, string>({
      name: 'refreshed',
      maxWeight: 10,
      refresh: (item) => `${item}*`,
      flush: async (_, items) => {
        if (written.push(items) === 1) await first.promise
        if (written.length === 2) throw new Error('once more, in halves')
        return items
      },
    })
    const quiet = { transaction: (work: (tx: unknown) => unknown) => work({}), onDrain: () => {} } as unknown as Store
    const inner = { ...ctx, store: quiet }
    const answers = [write(inner, 'a')]
    await poll(() => written).toHaveLength(1)
    answers.push(write(inner, 'b'))
    vi.advanceTimersByTime(6_000)
    answers.push(write(inner, 'c'))
    first.resolve()
    expect(await Promise.all(answers)).toEqual(['a', 'b**', 'c*'])
    expect(written).toEqual([['a'], ['b*', 'c*'], ['b**'], ['c*']])
  })
})

describe('calls that are traced', () => {
  it('are steps of their requests, and linked with the one commit that serves them', async () => {
    const ended = traceHere()
    const write = defineWriter()
    const requests = [1, 2, 3].map(() => startEntry('request', {}))
    await Promise.all(requests.map((request) => runInSpan(request, () => write(ctx, 9))))
    await write(ctx, 9)
    const commit = ended.filter(({ name }) => name === 'commit write')
    const [first, ...others] = ended.filter(({ name }) => name === 'write write') as [Span, Span, Span]
    expect(commit).toHaveLength(1)
    expect(commit[0]?.parentSpanId).toBe(first.spanId)
    expect(commit[0]?.links).toEqual(others)
    expect(others.map(({ links }) => links)).toEqual(others.map(() => commit))
    expect([first, ...others].map(({ parentSpanId }) => parentSpanId)).toEqual(requests.map((each) => each?.spanId))
    expect(commit[0]?.attributes.get('peyk.batch.calls')).toBe(3)
  })

  it('lend nothing of their own to what others have in common', async () => {
    traceHere()
    const seen: unknown[] = []
    const write = defineBatch<number, number>({
      name: 'seen',
      maxWeight: 1,
      flush: async (_tx, items) => {
        seen.push(currentSpan()?.name)
        return items
      },
    })
    const traced = runInSpan(startEntry('request', {}), () => write(ctx, 1))
    await Promise.all([traced, write(ctx, 2)])
    expect(seen).toEqual(['commit seen', undefined])
  })
})
