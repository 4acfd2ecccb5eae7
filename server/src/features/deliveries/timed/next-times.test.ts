import { createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { NextTimes } from './next-times.ts'
import { readNextTimes, type TimedWork } from './read-next-times.ts'

const store = await createTestStore()
const messageId = '01a1ec13-eae6-734b-aa09-3fd6629c2ef7'
const nothing = { pace: null, due: null, expansion: null, recall: null }

const insert: Record<TimedWork, (after: string) => Promise<unknown>> = {
  pace: (after) =>
    store.query(sql`
    insert into message_paces (app_id, message_id, per_minute, next_at) values (1, ${messageId}, 60, peyk_now() + ${after}::interval)`),
  due: (after) => insertBatch('group/fcm', after),
  expansion: (after) => insertBatch('expand', after),
  recall: (after) =>
    store.query(sql`
    insert into recall_batches (app_id, message_id, stream, installation_nos, expires_at, available_at)
    values (1, ${messageId}, 'fcm', '{1}', peyk_now() + interval '1 day', peyk_now() + ${after}::interval)`),
}

function insertBatch(stream: string, after: string): Promise<unknown> {
  return store.query(sql`
    insert into delivery_batches (app_id, message_id, lane, stream, installation_nos, available_at)
    values (1, ${messageId}, 'later', ${stream}, '{1}', peyk_now() + ${after}::interval)`)
}

async function clear(): Promise<void> {
  for (const table of [sql`message_paces`, sql`delivery_batches`, sql`recall_batches`]) {
    await store.query(sql`delete from ${table}`)
  }
}

describe('the look ahead', () => {
  beforeAll(clear)

  it('finds nothing where nothing is due soon', async () => {
    for (const add of Object.values(insert)) await add('1 hour')
    expect(await readNextTimes(store, 1_000)).toEqual(nothing)
    const times = new NextTimes(store, 1_000)
    expect(times.isDue('pace')).toBe(true)
    await times.look()
    for (const work of Object.keys(insert)) expect(times.isDue(work as TimedWork)).toBe(false)
    await clear()
  })

  it.each(Object.keys(insert) as TimedWork[])('finds the next %s, what is late at once', async (work) => {
    const times = new NextTimes(store, 60_000)
    await insert[work]('30 seconds')
    const next = await readNextTimes(store, 60_000)
    expect({ ...next, [work]: null }).toEqual(nothing)
    expect(next[work]).toBeGreaterThan(0)
    expect(next[work]).toBeLessThanOrEqual(30_000)
    await times.look()
    expect(times.isDue(work)).toBe(false)
    await insert[work]('-1 second').catch(() => store.query(sql`update message_paces set next_at = peyk_now()`))
    expect((await readNextTimes(store, 1_000))[work]).toBeLessThanOrEqual(0)
    await times.look()
    expect(times.isDue(work)).toBe(true)
    await clear()
  })

  it('goes on after one that failed', async () => {
    const broken = { query: () => Promise.reject(new Error('away')) } as never
    const times = new NextTimes(broken, 1_000)
    await expect(times.look()).rejects.toThrow('away')
    await expect(times.look()).rejects.toThrow('away')
    expect(times.isDue('pace')).toBe(true)
  })
})
