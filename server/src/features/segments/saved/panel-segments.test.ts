import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { hashBody, runOnce } from '#base/idempotency/idempotency.ts'
import { trackEvent } from '../../events/track/track-event.ts'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { addTags } from '../../installations/tags/add-tags.ts'
import { addValueTag } from '../../installations/tags/add-value-tag.ts'
import { exportSegment } from '../count/export-segment.ts'
import { sampleSegment } from '../count/sample-segment.ts'
import { findField, operatorsOfKind } from '../fields.ts'
import { listSegmentFields } from '../suggest/list-segment-fields.ts'
import { suggestValues } from '../suggest/suggest-values.ts'
import { countSavedSegments } from './count-saved-segments.ts'
import { createSegment } from './create-segment.ts'
import { deleteSegment } from './delete-segment.ts'
import { listSizedSegments } from './list-sized-segments.ts'
import { replaceSegment } from './replace-segment.ts'

const store = await createTestStore()

const ios = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'ios' }] }
const android = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'android' }] }

const register = (ctx: Context, userId: string, deviceType: string, more: Record<string, unknown> = {}) =>
  registerInstallation(ctx, { userId, deviceType, ...more })

async function readAll<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}

describe('what rules can ask for', () => {
  it('is every name that the reader takes, with the operators of its kind', async () => {
    const ctx = await createTestApp(store)
    const { fields, aggregates, operators, events } = await listSegmentFields(ctx)
    for (const { name, kind } of fields) expect(findField(name, 'segment')?.kind).toBe(kind)
    for (const { name, kind } of aggregates) expect(findField(`Order.${name}`, 'segment')?.kind).toBe(kind)
    expect(operators).toEqual(operatorsOfKind)
    expect(fields.map(({ name }) => name)).not.toContain('id')
    expect(events).toEqual(['purchase'])
  })

  it('knows the attributes, tags with values and events of this app alone', async () => {
    const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
    await setAttributes(ctx, { userId: 'sara', attributes: { age: 31, city: 'Tehran' } })
    await addTags(ctx, { userId: 'sara', tags: ['vip'] })
    await addValueTag(ctx, { userId: 'sara', tag: 'plan', value: 'gold' })
    await addValueTag(other, { userId: 'sara', tag: 'theirs', value: 'x' })
    for (const eventName of ['AddToCart', 'Purchase']) await trackEvent(ctx, { userId: 'sara', eventName })
    await trackEvent(other, { userId: 'sara', eventName: 'Theirs' })
    expect(await listSegmentFields(ctx)).toMatchObject({
      attributes: [
        { name: 'age', kind: 'number' },
        { name: 'city', kind: 'text' },
      ],
      tagKeys: ['plan'],
      events: ['purchase', 'AddToCart'],
    })
  })
})

describe('suggested values', () => {
  it.each([
    ['tags', 'v', ['vegan', 'vip']],
    ['tags', 'x', []],
    ['tags.plan', '', ['gold', 'silver']],
    ['tags.plan', 'g', ['gold']],
    ['userId', 'sa', ['saba', 'sara']],
    ['deviceType', '', ['android', 'ios']],
    ['clientVersion', '2', ['2.4.1', '2.10']],
    ['osVersion', '', []],
    ['language', '', ['fa']],
    ['channel', 'ne', ['news']],
    ['attributes.city', 'T', ['Tabriz', 'Tehran']],
    ['attributes.sizes', '', ['xl', 'l']],
    ['attributes.age', '', []],
    ['launchTime', '', []],
    ['Order.count', '', []],
    ['no such', '', []],
  ])('of %s beginning with "%s" are %j', async (name, prefix, expected) => {
    const ctx = await createTestApp(store)
    const other = await createTestApp(store)
    await register(ctx, 'sara', 'android', {
      clientVersion: '2.4.1',
      language: 'fa',
      subscriptions: ['public/news', 'own'],
    })
    await register(ctx, 'saba', 'android', { clientVersion: '2.4.1' })
    await register(ctx, 'omid', 'ios', { clientVersion: '2.10' })
    await register(other, 'sam', 'web', { clientVersion: '2.0', language: 'en', subscriptions: ['public/nest'] })
    await addTags(ctx, { userId: 'sara', tags: ['vip', 'vegan', 'beta'] })
    await addTags(other, { userId: 'sam', tags: ['vague'] })
    await addValueTag(ctx, { userId: 'sara', tag: 'plan', value: 'gold' })
    await addValueTag(ctx, { userId: 'saba', tag: 'plan', value: 'silver' })
    await setAttributes(ctx, { userId: 'sara', attributes: { city: 'Tehran', sizes: ['xl', 'l'], age: 31 } })
    await setAttributes(ctx, { userId: 'saba', attributes: { city: 'Tabriz', sizes: ['xl'] } })
    expect(await suggestValues(ctx, { name, prefix })).toEqual(expected)
  })
})

describe('a sample', () => {
  it('has ten installations that match, with who uses them', async () => {
    const ctx = await createTestApp(store)
    for (let index = 0; index < 12; index++) {
      await register(ctx, `user-${index}`, 'ios', { deviceModel: 'iPhone 16', clientVersion: '2.4.1' })
    }
    await register(ctx, 'omid', 'android')
    const { data } = await sampleSegment(ctx, { segment: ios })
    expect(data).toHaveLength(10)
    expect(data[0]).toMatchObject({
      isGuest: false,
      deviceType: 'ios',
      deviceModel: 'iPhone 16',
      clientVersion: '2.4.1',
    })
    expect((await sampleSegment(ctx, { target: { deviceType: 'android' } })).data).toHaveLength(1)
    expect((await sampleSegment(await createTestApp(store), { segment: ios })).data).toEqual([])
  })

  it('of what is no segment is refused', async () => {
    const ctx = await createTestApp(store)
    await expect(sampleSegment(ctx, { segment: { all: [] } })).rejects.toMatchObject({ status: 400 })
    await expect(sampleSegment(ctx, {})).rejects.toMatchObject({ status: 400 })
  })
})

describe('the size of a saved segment', () => {
  it('is counted when it is saved, again when it changes, and gone with it', async () => {
    const ctx = await createTestApp(store, { at: () => new Date('2026-11-15T10:00:00Z') })
    await register(ctx, 'sara', 'ios')
    await register(ctx, 'sara', 'ios')
    const { id } = await createSegment(ctx, { name: 'phones', segment: ios })
    const sizes = async () => (await listSizedSegments(ctx)).data.map((segment) => segment.sizes)
    const countedAt = Date.parse('2026-11-15T10:00:00Z')
    expect(await sizes()).toEqual([[{ day: '2026-11-15', count: 2, countedAt }]])
    await replaceSegment(ctx, { id, segment: android })
    expect(await sizes()).toEqual([[{ day: '2026-11-15', count: 0, countedAt }]])
    await store.query(sql`update segment_sizes set counted_at = null where app_id = ${ctx.app.id}`)
    expect(await sizes()).toEqual([[{ day: '2026-11-15', count: 0 }]])
    await deleteSegment(ctx, { id })
    expect(await store.query(sql`select from segment_sizes where app_id = ${ctx.app.id}`)).toEqual([])
  })

  it('is counted once on each further day, whatever else cannot be counted', async () => {
    let at = new Date('2026-11-15T10:00:00Z')
    const ctx = await createTestApp(store, { at: () => at })
    await register(ctx, 'sara', 'ios')
    const { id } = await createSegment(ctx, { name: 'phones', segment: ios })
    const broken = await createSegment(ctx, { name: 'broken', segment: ios })
    await store.query(sql`update segments set definition = '{"all":5}' where segment_id = ${broken.id}`)
    const job = { ...ctx, signal: new AbortController().signal }
    at = new Date('2026-11-16T01:00:00Z')
    await register(ctx, 'omid', 'ios')
    await countSavedSegments(job)
    await register(ctx, 'saba', 'ios')
    await countSavedSegments(job)
    const saved = (await listSizedSegments(ctx)).data.find((segment) => segment.id === id)
    expect(saved?.sizes).toEqual([
      { day: '2026-11-15', count: 1, countedAt: Date.parse('2026-11-15T10:00:00Z') },
      { day: '2026-11-16', count: 2, countedAt: Date.parse('2026-11-16T01:00:00Z') },
    ])
  })

  it('is kept for 400 days and listed for 30', async () => {
    let at = new Date('2025-01-01T10:00:00Z')
    const ctx = await createTestApp(store, { at: () => at })
    await createSegment(ctx, { name: 'phones', segment: ios })
    at = new Date('2026-02-01T10:00:00Z')
    expect((await listSizedSegments(ctx)).data[0]?.sizes).toEqual([])
    await countSavedSegments({ ...ctx, signal: new AbortController().signal })
    at = new Date('2026-03-15T10:00:00Z')
    await countSavedSegments({ ...ctx, signal: new AbortController().signal })
    const kept = await store.query<{ day: string }>(
      sql`select day::text from segment_sizes where app_id = ${ctx.app.id} order by day`,
    )
    expect(kept.map(({ day }) => day)).toEqual(['2026-02-01', '2026-03-15'])
  })
})

describe('the CSV of a saved segment', () => {
  it('has a line for each installation, and those of no other app', async () => {
    const at = new Date('2026-11-15T10:00:00.000Z')
    const ctx = await createTestApp(store, { at: () => at })
    const other = await createTestApp(store)
    const { id } = await register(ctx, 'sara', 'ios', { clientVersion: '2.4.1', language: 'fa' })
    await register(ctx, 'omid', 'android')
    await register(other, 'sam', 'ios')
    await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
    await createSegment(ctx, { name: 'phones', segment: ios })
    const { fileName, header, rows } = await exportSegment(ctx, { id: 'phones' })
    const all = await readAll(rows)
    expect(fileName).toBe('phones.csv')
    expect(all).toEqual([
      ['sara', 'false', id, 'ios', '2.4.1', null, 'fa', null, '2026-11-15T10:00:00Z', '2026-11-15T10:00:00Z', 1],
    ])
    expect(all[0]).toHaveLength(header.length)
    await expect(exportSegment(other, { id: 'phones' })).rejects.toMatchObject({ status: 404 })
  })

  it('of an app without installations is empty', async () => {
    const ctx = await createTestApp(store)
    await createSegment(ctx, { name: 'phones', segment: ios })
    expect(await readAll((await exportSegment(ctx, { id: 'phones' })).rows)).toEqual([])
  })
})

describe('a segment that cannot be counted', () => {
  it('is saved all the same, also under an idempotency key', async () => {
    const ctx = await createTestApp(store)
    const { id } = await createSegment(ctx, { name: 'Counted', segment: ios })
    await store.query(sql`delete from segment_sizes where app_id = ${ctx.app.id}`)
    const appId = raw(String(ctx.app.id))
    await store.query(sql`alter table segment_sizes add check (app_id <> ${appId}) not valid`)
    await createSegment(ctx, { name: 'Alone', segment: ios })
    await replaceSegment(ctx, { id, name: 'Changed', segment: android })
    const once = { route: 'POST /segments', key: 'k', bodyHash: hashBody('') }
    await runOnce(ctx, once, (inner) => createSegment(inner, { name: 'Once', segment: android }))
    const { data } = await listSizedSegments(ctx)
    expect(data.map(({ name }) => name).sort()).toEqual(['Alone', 'Changed', 'Once'])
  })
})
