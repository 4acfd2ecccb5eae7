import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Context, db } from '../context.ts'
import { hashBody, readKey, runOnce } from './idempotency.ts'

const store = await createTestStore()
beforeAll(() => store.query(sql`create table effects (key text)`))

async function countEffects(key: string) {
  const [row] = await store.query<{ count: number }>(sql`select count(*) from effects where key = ${key}`)
  return row?.count
}

function effect(key: string) {
  return async (ctx: Context) => {
    await db(ctx).query(sql`insert into effects values (${key})`)
    return { done: key }
  }
}

describe('a request with an idempotency key', () => {
  const request = (key: string, body = '{}') => ({ route: 'POST /x', key, bodyHash: hashBody(body) })

  it('has one effect, and the same answer again', async () => {
    const ctx = await createTestApp(store)
    expect(await runOnce(ctx, request('a'), effect('a'))).toEqual({ answer: { done: 'a' }, isReplay: false })
    expect(await runOnce(ctx, request('a'), effect('a'))).toEqual({ answer: { done: 'a' }, isReplay: true })
    expect(await countEffects('a')).toBe(1)
  })

  it('is refused when the body is another', async () => {
    const ctx = await createTestApp(store)
    await runOnce(ctx, request('b'), effect('b'))
    await expect(runOnce(ctx, request('b', '{"other":1}'), effect('b'))).rejects.toMatchObject({
      code: 'key-reused',
      status: 422,
    })
  })

  it('has one effect when five copies come at once; the others are told to wait', async () => {
    const ctx = await createTestApp(store)
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => runOnce(ctx, request('c'), effect('c'))))
    expect(await countEffects('c')).toBe(1)
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'still-running', retryAfterSeconds: 1 })
    }
  })

  it('is told to wait as long as the first one runs', async () => {
    const ctx = await createTestApp(store)
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const slow = runOnce(ctx, request('slow'), async (inner) => {
      begun.resolve()
      await end.promise
      return effect('slow')(inner)
    })
    await begun.promise
    await expect(runOnce(ctx, request('slow'), effect('slow'))).rejects.toMatchObject({ code: 'still-running' })
    end.resolve()
    expect(await slow).toMatchObject({ isReplay: false })
    expect(await countEffects('slow')).toBe(1)
  })

  it('may be tried again after a failure', async () => {
    const ctx = await createTestApp(store)
    const failing = async (inner: Context) => {
      await effect('d')(inner)
      throw new Error('broken')
    }
    await expect(runOnce(ctx, request('d'), failing)).rejects.toThrow('broken')
    expect(await countEffects('d')).toBe(0)
    expect((await runOnce(ctx, request('d'), effect('d'))).isReplay).toBe(false)
  })

  it('is not kept when the commit of its effect fails', async () => {
    const ctx = await createTestApp(store)
    await store.query(sql`create table late_checks (value int unique deferrable initially deferred)`)
    const failing = async (inner: Context) => {
      await db(inner).query(sql`insert into late_checks values (1), (1)`)
      return { done: 'never' }
    }
    await expect(runOnce(ctx, request('late'), failing)).rejects.toThrow('late_checks')
    expect(await runOnce(ctx, request('late'), effect('late'))).toEqual({ answer: { done: 'late' }, isReplay: false })
  })

  it('keeps no secret in the clear, and answers it again', async () => {
    const ctx = await createTestApp(store)
    const answer = { secret: 'whsec_1', identitySecret: 'idsec_1', name: 'x' }
    await runOnce(ctx, request('s'), async () => answer)
    const [row] = await store.query<{ answer: object }>(sql`select answer from idempotency_keys where key = 's'`)
    expect(JSON.stringify(row)).not.toMatch(/whsec_1|idsec_1/)
    expect(await runOnce(ctx, request('s'), async () => 'other')).toEqual({ answer, isReplay: true })
  })

  it('belongs to its app', async () => {
    const [first, second] = [await createTestApp(store), await createTestApp(store)]
    await runOnce(first, request('e'), effect('e'))
    expect((await runOnce(second, request('e'), effect('e'))).isReplay).toBe(false)
  })
})

describe('the key', () => {
  it('comes from the header, else from the body', () => {
    expect(readKey('h', { idempotencyKey: 'b' })).toBe('h')
    expect(readKey(undefined, { idempotencyKey: 'b' })).toBe('b')
    expect(readKey(undefined, [])).toBeUndefined()
  })

  it.each(['', 'x'.repeat(256), 5, 'a\nb'])('%j is refused', (key) => {
    expect(() => readKey(undefined, { idempotencyKey: key })).toThrow('idempotency key')
  })
})
