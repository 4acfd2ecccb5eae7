import { randomUUID } from 'node:crypto'
import * as contract from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { RequestError } from '#base/errors.ts'
import { compileAudience } from './compile/compile-audience.ts'
import { countSegment } from './count/count-segment.ts'
import { ruleOperators } from './fields.ts'
import { resolveAudience } from './read/resolve-audience.ts'
import { createSegment } from './saved/create-segment.ts'
import { deleteSegment } from './saved/delete-segment.ts'
import { getSegment } from './saved/get-segment.ts'
import { listSegments } from './saved/list-segments.ts'
import { replaceSegment } from './saved/replace-segment.ts'
import { makeWorld, storeWorld } from './world.test-support.ts'

const store = await createTestStore()
const at = new Date('2026-11-15T10:00:00.000Z')

const ios = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'ios' }] }
const vip = { any: [{ name: 'tags', operator: 'include', value: ['vip'] }] }

async function openApp() {
  const ctx = await createTestApp(store, { at: () => at })
  await storeWorld(ctx, makeWorld(3, { people: 10, devices: 30 }, at.getTime()))
  return ctx
}

const refusal = (code: string, message: string | RegExp) =>
  expect.objectContaining({ code, message: matching(message) })
const matching = (message: string | RegExp) =>
  typeof message === 'string' ? message : (expect.stringMatching(message) as string)

describe('the contract', () => {
  const checkCount = contract.checker(contract.countSegment.body ?? contract.Segment)
  const checkCreate = contract.checker(contract.createSegment.body ?? contract.Segment)

  it.each([
    { segment: ios },
    { segment: JSON.stringify(ios) },
    { segment: { all: [{ name: 5, extra: null }] } },
    { segment: 5 },
    { segment: null, target: '{}' },
    { target: { deviceType: { inq: ['ios'] } } },
    { target: [] },
    ios,
  ])('leaves %j to the readers, which say what is wrong', (body) => {
    expect(checkCount(structuredClone(body))).toEqual({ value: body })
  })

  it('asks for a name and a segment', () => {
    expect(checkCreate({ segment: ios }).fault?.message).toBe('"name" is required.')
    expect(checkCreate({ name: 'a' }).fault?.message).toBe('"segment" is required.')
    expect(checkCreate({ name: 7, segment: ios })).toEqual({ value: { name: '7', segment: ios } })
  })
})

describe('a saved segment', () => {
  it('is answered as it was sent, by its id and by its name', async () => {
    const ctx = await openApp()
    const saved = await createSegment(ctx, { name: 'On iOS', segment: ios })
    expect(saved).toEqual({
      id: expect.any(String),
      name: 'On iOS',
      segment: ios,
      createdAt: at.getTime(),
      updatedAt: at.getTime(),
    })
    expect(await getSegment(ctx, { id: saved.id })).toEqual(saved)
    expect(await getSegment(ctx, { id: saved.id.toUpperCase() })).toEqual(saved)
    expect(await getSegment(ctx, { id: 'On iOS' })).toEqual(saved)
  })

  it('may come as JSON in a text, as forms send it', async () => {
    const ctx = await openApp()
    const saved = await createSegment(ctx, { name: 'ios', segment: JSON.stringify(ios) })
    expect(saved.segment).toEqual(ios)
  })

  it('is found by its id before another whose name is that id', async () => {
    const ctx = await openApp()
    const first = await createSegment(ctx, { name: 'first', segment: ios })
    await createSegment(ctx, { name: first.id, segment: vip })
    expect((await getSegment(ctx, { id: first.id })).name).toBe('first')
  })

  it('has a name of its own', async () => {
    const ctx = await openApp()
    const names = await Promise.allSettled(
      Array.from({ length: 5 }, () => createSegment(ctx, { name: 'same', segment: ios })),
    )
    expect(names.filter((name) => name.status === 'fulfilled')).toHaveLength(1)
    const other = await createSegment(ctx, { name: 'other', segment: ios })
    await expect(createSegment(ctx, { name: 'same', segment: ios })).rejects.toEqual(
      refusal('already-exists', 'A segment named "same" already exists.'),
    )
    await expect(replaceSegment(ctx, { id: other.id, name: 'same', segment: ios })).rejects.toEqual(
      refusal('already-exists', 'Another segment named "same" already exists.'),
    )
  })

  it('is replaced, with its name or without', async () => {
    const ctx = await openApp()
    const saved = await createSegment(ctx, { name: 'a', segment: ios })
    const later = { ...ctx, now: () => new Date(at.getTime() + 5) }
    const replaced = await replaceSegment(later, { id: 'a', segment: vip })
    expect(replaced).toEqual({ ...saved, segment: vip, updatedAt: at.getTime() + 5 })
    const renamed = await replaceSegment(later, { id: saved.id, name: 'b', segment: vip })
    expect(renamed.name).toBe('b')
    await expect(getSegment(ctx, { id: 'a' })).rejects.toEqual(refusal('not-found', /There is no segment/))
  })

  it('is listed by name and deleted', async () => {
    const ctx = await openApp()
    for (const name of ['b', 'a', 'c']) await createSegment(ctx, { name, segment: ios })
    const { id } = await getSegment(ctx, { id: 'b' })
    expect(await deleteSegment(ctx, { id: 'b' })).toEqual({ id, name: 'b' })
    expect((await listSegments(ctx)).map((segment) => segment.name)).toEqual(['a', 'c'])
    await expect(deleteSegment(ctx, { id: 'b' })).rejects.toEqual(refusal('not-found', /"b"/))
    await expect(replaceSegment(ctx, { id: 'b', segment: ios })).rejects.toEqual(refusal('not-found', /"b"/))
  })

  it('is checked when it is saved and when it is replaced', async () => {
    const ctx = await openApp()
    const wrong = { all: [{ name: 'attributes.colour', operator: 'greater_than', value: 3 }] }
    const fault = refusal('invalid-segment', /^Rule 1 of "all": "attributes.colour" takes equal_to, not_equal, include/)
    await expect(createSegment(ctx, { name: 'a', segment: wrong })).rejects.toEqual(fault)
    await expect(createSegment(ctx, { name: 'a', segment: undefined })).rejects.toEqual(
      refusal('invalid-request', '"segment" is required.'),
    )
    await createSegment(ctx, { name: 'a', segment: ios })
    await expect(replaceSegment(ctx, { id: 'a', segment: wrong })).rejects.toEqual(fault)
    expect((await getSegment(ctx, { id: 'a' })).segment).toEqual(ios)
  })

  it('belongs to its app', async () => {
    const [mine, theirs] = [await openApp(), await openApp()]
    const saved = await createSegment(mine, { name: 'ios', segment: ios })
    await createSegment(theirs, { name: 'ios', segment: vip })
    for (const verb of [getSegment, deleteSegment]) {
      await expect(verb(theirs, { id: saved.id })).rejects.toEqual(refusal('not-found', /no segment/))
    }
    await expect(resolveAudience(theirs, { target: saved.id })).rejects.toEqual(
      refusal('not-found', /no saved segment/),
    )
    expect(await listSegments(mine)).toEqual([saved])
  })

  it('is saved in the transaction of the request when there is one', async () => {
    const ctx = await openApp()
    await expect(
      store.transaction(async (tx) => {
        await createSegment({ ...ctx, tx }, { name: 'a', segment: ios })
        await replaceSegment({ ...ctx, tx }, { id: 'a', segment: vip })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await listSegments(ctx)).toEqual([])
  })
})

describe('an audience', () => {
  it('is a segment or a target, exactly one of them', async () => {
    const ctx = await openApp()
    for (const audience of [{}, { segment: null }, { segment: ios, target: {} }]) {
      await expect(compileAudience(ctx, audience, at)).rejects.toEqual(
        refusal('invalid-request', /^Expected "segment"/),
      )
    }
  })

  it('is a saved segment by its id or name', async () => {
    const ctx = await openApp()
    const { id } = await createSegment(ctx, { name: 'ios', segment: ios })
    const expected = await countSegment(ctx, { segment: ios })
    expect(expected.count).toBeGreaterThan(0)
    expect(await countSegment(ctx, { target: id })).toEqual(expected)
    expect(await countSegment(ctx, { target: 'ios' })).toEqual(expected)
    await expect(countSegment(ctx, { target: 'android' })).rejects.toEqual(
      refusal('not-found', 'There is no saved segment with the id or name "android".'),
    )
  })

  it('is fixed as the rules that the saved segment had', async () => {
    const ctx = await openApp()
    const { id } = await createSegment(ctx, { name: 'ios', segment: ios })
    const fixed = await resolveAudience(ctx, { target: 'ios' })
    await deleteSegment(ctx, { id: 'ios' })
    expect(fixed).toEqual({ segment: ios, segmentId: id })
    await compileAudience(ctx, fixed, at)
    expect(await resolveAudience(ctx, { target: '{"deviceType":"ios"}' })).toEqual({ target: { deviceType: 'ios' } })
  })

  it('is everybody for {} and for "{}"', async () => {
    const ctx = await openApp()
    const [row] = await store.query<{ count: number; users: number }>(
      sql`select count(*), count(distinct user_no) as users from installations
          where app_id = ${ctx.app.id} and uninstalled_at is null`,
    )
    expect(row?.count).toBeGreaterThan(0)
    for (const target of [{}, '{}', ' {} ']) {
      expect(await countSegment(ctx, { target })).toEqual({ ...row, funnel: [] })
    }
  })

  it.each(['{', '{"deviceType"', `{"deviceType":"\\u0000"}`, `{"tags":"\\ud800"}`, `{"a":${'['.repeat(100_000)}`])(
    'is not the text %.30s',
    async (target) => {
      const ctx = await openApp()
      await expect(countSegment(ctx, { target })).rejects.toEqual(refusal('invalid-segment', /^Expected JSON/))
    },
  )

  it('that was accepted does not fail by an attribute that came later', async () => {
    const ctx = await openApp()
    const segment = { all: [{ name: 'attributes.size', operator: 'greater_than', value: 3 }] }
    await compileAudience(ctx, { segment }, at)
    await store.query(sql`insert into attribute_names (app_id, name, kind) values (${ctx.app.id}, 'size', 'text')`)
    await expect(compileAudience(ctx, { segment }, at)).rejects.toBeInstanceOf(RequestError)
    const condition = await compileAudience(ctx, { segment }, at, { wasAccepted: true })
    expect(await store.query(sql`select from installations i where ${condition}`)).toEqual([])
  })
})

describe('counting', () => {
  it('takes the segment itself as the body', async () => {
    const ctx = await openApp()
    expect(await countSegment(ctx, ios)).toEqual(await countSegment(ctx, { segment: ios }))
    expect(await countSegment(ctx, { ...vip, idempotencyKey: 'k' })).toEqual(await countSegment(ctx, { segment: vip }))
    await expect(countSegment(ctx, { rules: [] })).rejects.toEqual(refusal('invalid-request', /^Expected "segment"/))
    await expect(countSegment(ctx, { ...ios, anny: [] })).rejects.toEqual(refusal('invalid-segment', /"anny"/))
  })

  it('has a funnel of the rules as they were sent, in their order', async () => {
    const ctx = await openApp()
    const { count, funnel } = await countSegment(ctx, { ...ios, ...vip })
    expect(funnel.map((step) => step.rule)).toEqual([ios.all[0], vip])
    expect(funnel[0]?.count).toBe((await countSegment(ctx, ios)).count)
    expect(funnel[1]?.count).toBe(count)
    const filtered = await countSegment(ctx, { target: { deviceType: 'ios', tags: 'vip' } })
    expect(filtered.funnel).toEqual([
      { rule: { deviceType: 'ios' }, count: funnel[0]?.count },
      { rule: { tags: 'vip' }, count },
    ])
  })

  it('takes as many rules and values as there may be', async () => {
    const ctx = await openApp()
    const everyone = Array.from({ length: 10_000 }, () => randomUUID())
    const rule = { name: 'userId', operator: 'not_include', value: everyone }
    const { count } = await countSegment(ctx, { target: {} })
    expect((await countSegment(ctx, { all: Array(3).fill(rule) })).count).toBe(count)
    const names = ['tags', 'tags.city', 'attributes.theme', 'opened.count', 'deviceType', 'userId']
    const many = Array.from({ length: 100 }, (_, index) => ({
      name: names[index % names.length],
      operator: 'not_equal',
      value: names[index % names.length] === 'opened.count' ? index + 100 : `v${index}`,
    }))
    expect((await countSegment(ctx, { all: many })).count).toBe(count)
    expect((await countSegment(ctx, { any: many })).count).toBe(count)
  })

  it('answers or refuses whatever is asked, and never fails', async () => {
    const ctx = await openApp()
    const names = ['installDate', 'launchCount', 'tags', 'deviceType', 'osVersion', 'userId', 'channel', 'tags.city']
    const families = ['attributes.age', 'attributes.bornAt', 'attributes.theme', 'attributes.pets', 'attributes.x']
    const events = ['purchase.count', 'purchase.avg', 'purchase.last', 'opened.sum']
    const extremes = [1e308, -1e308, 5e-324, 2 ** 53, 2 ** 63, -62135596800001, '1e999', '0x10', '1e5', '-0']
    const texts = ["'; drop table users; --", '%_\\', 'ا'.repeat(300), '9'.repeat(400), '1.'.repeat(200), '{}', '{"a"}']
    const value = fc.oneof(fc.constantFrom<unknown>(...extremes, ...texts), fc.double(), fc.string(), fc.jsonValue())
    const name = fc.constantFrom(...names, ...families, ...events)
    const rule = fc.record({ name, operator: fc.constantFrom(...ruleOperators), value })
    await fc.assert(
      fc.asyncProperty(rule, fc.constantFrom('neq', 'lte', 'between', 'inq'), async (sent, word) => {
        const clean = JSON.parse(JSON.stringify(sent).replace(/\\u0000|\\ud[89a-f]../g, ''))
        await answerOrRefuse(countSegment(ctx, { all: [clean] }))
        await answerOrRefuse(countSegment(ctx, { target: { [clean.name]: { [word]: clean.value } } }))
      }),
      { numRuns: 400 },
    )
  })
})

async function answerOrRefuse(answer: Promise<{ count: number }>): Promise<void> {
  const outcome = await answer.catch((error: unknown) => error)
  if (outcome instanceof RequestError) expect(outcome.status).toBe(400)
  else expect(outcome).toHaveProperty('count')
}
