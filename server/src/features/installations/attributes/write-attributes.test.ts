import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { getInstallation } from '../read/get-installation.ts'
import { registerInstallation } from '../register/register-installation.ts'
import { inTwoProcesses } from '../two-processes.test-support.ts'
import { changeAttributes } from './change-attributes.ts'
import { incrementAttributes } from './increment-attributes.ts'
import { setAttributes } from './set-attributes.ts'

const store = await createTestStore()

type Step =
  | { kind: 'set'; name: string; value: string | number | string[] | null }
  | { kind: 'increment'; name: string; value: number }
  | { kind: 'addToArray' | 'removeFromArray'; name: string; value: string[] }

const name = fc.constantFrom('a', 'b')
const items = fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('set' as const),
    name,
    value: fc.oneof(fc.constantFrom('t', null), fc.integer({ min: -9, max: 9 }), items),
  }),
  fc.record({ kind: fc.constant('increment' as const), name, value: fc.integer({ min: -9, max: 9 }) }),
  fc.record({ kind: fc.constantFrom('addToArray' as const, 'removeFromArray' as const), name, value: items }),
)

/** What the operations mean, in plain words; false when the call must be refused. */
function apply(attributes: Map<string, unknown>, { kind, name, value }: Step): boolean {
  const current = attributes.get(name)
  if (kind === 'set') {
    if (value === null) attributes.delete(name)
    else attributes.set(name, value)
    return true
  }
  if (kind === 'increment') {
    if (current !== undefined && typeof current !== 'number') return false
    attributes.set(name, ((current as number | undefined) ?? 0) + value)
    return true
  }
  if (kind === 'removeFromArray') {
    if (Array.isArray(current))
      attributes.set(
        name,
        current.filter((item) => !value.includes(item)),
      )
    return true
  }
  if (current !== undefined && !Array.isArray(current)) return false
  attributes.set(name, [...new Set([...((current as string[] | undefined) ?? []), ...value])])
  return true
}

function call(ctx: Context, installationId: string, { kind, name, value }: Step) {
  if (kind === 'set') return changeAttributes(ctx, { installationId, data: { [name]: value } })
  if (kind === 'increment')
    return incrementAttributes(ctx, { installationId, attributes: [{ attribute: name, value }] })
  return changeAttributes(ctx, {
    installationId,
    data: {},
    __meta: { keys: { [name]: { type: 'array', operation: kind, value } } },
  })
}

describe('attribute operations', () => {
  it('end as if concurrent calls had run one by one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), step), { maxLength: 30 }), async (steps) => {
        const ctx = await createTestApp(store)
        const ids = await Promise.all(
          ['u0', 'u1'].map(async (userId) => (await registerInstallation(ctx, { deviceType: 'web', userId })).id),
        )
        const outcomes = await Promise.allSettled(steps.map(([user, each]) => call(ctx, ids[user] as string, each)))
        const models = [new Map<string, unknown>(), new Map<string, unknown>()]
        const expected = steps.map(([user, each]) =>
          apply(models[user] as Map<string, unknown>, each) ? 'fulfilled' : 'rejected',
        )
        expect(outcomes.map((outcome) => outcome.status)).toEqual(expected)
        for (const [user, id] of ids.entries()) {
          expect((await getInstallation(ctx, { id })).userInfo).toEqual(
            Object.fromEntries(models[user] as Map<string, unknown>),
          )
        }
      }),
      { numRuns: 40 },
    )
  })

  let ctx: Context
  let id: string
  beforeEach(async () => {
    ctx = await createTestApp(store)
    id = (await registerInstallation(ctx, { deviceType: 'web', userId: 'ali' })).id
  })
  const userInfo = async () => (await getInstallation(ctx, { id })).userInfo

  it('lose no increment of two processes', async () => {
    const one = { installationId: id, attributes: [{ attribute: 'score' }, { attribute: 'coins', value: 0.5 }] }
    await inTwoProcesses(ctx, 100, (process) => incrementAttributes(process, one))
    expect(await userInfo()).toEqual({ score: 100, coins: 50 })
  })

  it('belong to the user and are seen on other devices', async () => {
    const other = await registerInstallation(ctx, { deviceType: 'ios', userId: 'ali' })
    expect(await changeAttributes(ctx, { installationId: other.id, data: { firstName: 'Ali' } })).toEqual({ count: 2 })
    expect(await userInfo()).toEqual({ firstName: 'Ali' })
  })

  it('take effect all or not at all', async () => {
    await setAttributes(ctx, { userId: 'ali', attributes: { name: 'Ali' } })
    const attributes = [{ attribute: 'score' }, { attribute: 'name' }]
    const refused = incrementAttributes(ctx, { installationId: id, attributes })
    await expect(refused).rejects.toMatchObject({
      code: 'invalid-request',
      message: 'The attribute "name" holds a text, which cannot be incremented.',
    })
    expect(await userInfo()).toEqual({ name: 'Ali' })
  })

  it('never make a number that cannot be kept, or a list without end', async () => {
    await setAttributes(ctx, { userId: 'ali', attributes: { big: 1.7e308, list: ['x'.repeat(999), 'y'.repeat(999)] } })
    await expect(
      incrementAttributes(ctx, { installationId: id, attributes: [{ attribute: 'big', value: 1.7e308 }] }),
    ).rejects.toMatchObject({ code: 'invalid-request' })
    const __meta = {
      keys: { list: { operation: 'addToArray', value: ['a', 'b', 'c'].map((text) => text.repeat(999)) } },
    }
    await expect(changeAttributes(ctx, { installationId: id, __meta })).rejects.toMatchObject({ code: 'too-large' })
  })

  it('answer 404 for an unknown installation', async () => {
    await expect(changeAttributes(ctx, { installationId: 'x', data: {} })).rejects.toMatchObject({ code: 'not-found' })
    await expect(
      incrementAttributes(ctx, { installationId: 'x', attributes: [{ attribute: 'a' }] }),
    ).rejects.toMatchObject({ code: 'not-found' })
  })

  it('belong to the transaction of an idempotency key', async () => {
    await expect(
      store.transaction(async (tx) => {
        await setAttributes({ ...ctx, tx }, { userId: 'ali', attributes: { age: 30 } })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await userInfo()).toEqual({})
  })
})
