import { createTestApp } from '@peyk/test/database/test-store.ts'
import { effortLevel } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Context } from '#base/context.ts'
import { openStore } from '#base/store/store.ts'
import { countSegment } from '../../segments/count/count-segment.ts'
import { evaluateSegment, isCounted, type SentSegment, type World } from '../../segments/evaluate.test-support.ts'
import { createLogStore, openTestIndexes } from '../../segments/index/log-store.test-support.ts'
import { anySegment } from '../../segments/segment-arbitraries.test-support.ts'
import { changeWorld, makeWorld, seeded, storeChanged, storeWorld } from '../../segments/world.test-support.ts'
import { draftMessage } from './draft-message.ts'
import { resolveRecipients } from './resolve-recipients.ts'

const effortShare = effortLevel === 'usual' ? 1 : 10
const at = new Date('2026-11-15T10:00:00.000Z')
const world: World = makeWorld(47, { people: 60, devices: 150 }, at.getTime())
const { store } = await createLogStore()
const indexes = openTestIndexes(store)
/** Of a process that has no index. */
const bare = openStore((await store.findAddress()) as never, { poolSize: 2, onLost() {} })
afterAll(() => bare.close())
const everybody: SentSegment = { all: [{ name: 'launchCount', operator: 'greater_than', value: 0 }] }
let ctx: Context

beforeAll(async () => {
  ctx = await createTestApp(store, { at: () => at })
  await storeWorld(ctx, world)
  await until(
    () => indexes.count({ appId: ctx.app.id, conditions: [], atMs: at.getTime() }),
    (counts) => counts !== undefined,
  )
})

/** What a send to the segment would write down; it is taken back. */
async function resolve(on: Context, segment: SentSegment, sent: { channel?: string; live?: boolean } = {}) {
  const draft = draftMessage({ content: 'x', ...sent }, { appId: on.app.id, product: 'message', at, clock: () => at })
  let listed: { nos: number[]; parts: number } | undefined
  let recipients = 0
  await on.store
    .transaction(async (tx) => {
      recipients = (await resolveRecipients({ ...on, tx }, { segment }, draft)).recipients
      const rows = await tx.query<{ up_to: number; nos: number[]; count: number }>(
        sql`select up_to, installation_nos::float8[] as nos, count from audience_parts where audience_id = ${draft.id} order by up_to`,
      )
      for (const { up_to, nos, count } of rows) {
        expect(nos).toHaveLength(count)
        for (const no of nos) expect(no > up_to - 65_536 && no <= up_to).toBe(true)
      }
      listed = { nos: rows.flatMap(({ nos }) => nos).sort((a, b) => a - b), parts: rows.length }
      throw new Error('taken back')
    })
    .catch((error: Error) => {
      if (error.message !== 'taken back') throw error
    })
  return { recipients, ...(listed as NonNullable<typeof listed>) }
}

describe('whom a send goes to', () => {
  it('is what the index lists, what SQL lists and what the reference evaluator finds, after each change', async () => {
    const random = seeded(13)
    const list = vi.spyOn(indexes, 'list')
    await fc.assert(
      fc.asyncProperty(anySegment(world), async (segment) => {
        await storeChanged(ctx, changeWorld(world, random))
        const byIndex = await resolve(ctx, segment)
        const bySql = await resolve({ ...ctx, store: bare }, segment)
        const found = world.devices.filter((one) => isCounted(one) && evaluateSegment(segment, one, world))
        expect(byIndex).toEqual(bySql)
        expect(byIndex.nos).toEqual(found.map((device) => device.no).sort((a, b) => a - b))
        expect(byIndex.recipients).toBe(found.length)
      }),
      { numRuns: 15 * effortShare },
    )
    const answers = await Promise.all(list.mock.results.map((result) => result.value))
    expect(answers.filter((parts) => parts !== undefined).length).toBeGreaterThan(5)
  })

  it('is listed in parts of numbers that are far apart', async () => {
    const before = (await resolve(ctx, everybody)).nos
    await store.query(sql`select setval(pg_get_serial_sequence('installations', 'installation_no'), 5000000000)`)
    await store.query(sql`
      insert into installations (app_id, user_no, installed_at, launched_at, logged_in_at, created_at, is_guest, id, device_type)
      select app_id, user_no, installed_at, launched_at, logged_in_at, created_at, is_guest, gen_random_uuid(), device_type
      from installations where app_id = ${ctx.app.id} and uninstalled_at is null limit 3`)
    const byIndex = await resolve(ctx, everybody)
    expect(byIndex).toEqual(await resolve({ ...ctx, store: bare }, everybody))
    expect(byIndex.parts).toBe(2)
    expect(byIndex.nos.at(-1)).toBeGreaterThan(5_000_000_000)
    const added = byIndex.nos.filter((no) => !before.includes(no))
    await store.query(sql`delete from installations where app_id = ${ctx.app.id} and installation_no = any(${added})`)
  })

  it('includes devices that registered before the clock of the database went back', async () => {
    const [added] = await store.query<{ no: number }>(sql`
      insert into installations (app_id, user_no, installed_at, launched_at, logged_in_at, created_at, is_guest, id, device_type)
      select app_id, user_no, later, later, later, later, is_guest, gen_random_uuid(), device_type
      from installations, (select ${at}::timestamptz + interval '4 minutes' as later) as t
      where app_id = ${ctx.app.id} and uninstalled_at is null limit 1 returning installation_no as no`)
    const all: SentSegment = { all: [{ name: 'deviceType', operator: 'not_equal', value: 'none' }] }
    const byIndex = await resolve(ctx, all)
    expect(byIndex.nos).toContain(added?.no)
    expect(byIndex).toEqual(await resolve({ ...ctx, store: bare }, all))
    expect(byIndex.recipients).toBe((await countSegment({ ...ctx, store: bare }, all)).count)
    await store.query(sql`delete from installations where app_id = ${ctx.app.id} and installation_no = ${added?.no}`)
  })

  it('is asked of SQL where the index does not know: on a channel, who has the app open, user ids', async () => {
    const userId = world.devices[0]?.person.userId
    const ofUser: SentSegment = { all: [{ name: 'userId', operator: 'equal_to', value: userId }] }
    for (const [segment, sent] of [
      [everybody, { channel: 'news' }],
      [everybody, { live: true }],
      [ofUser, {}],
    ] as const) {
      expect(await resolve(ctx, segment, sent)).toEqual(await resolve({ ...ctx, store: bare }, segment, sent))
    }
  })

  it('opens no index', async () => {
    const other = await createTestApp(store, { at: () => at })
    await storeWorld(other, makeWorld(9, { people: 5, devices: 10 }, at.getTime()))
    const { recipients } = await resolve(other, everybody)
    expect(recipients).toBe((await countSegment({ ...other, store: bare }, everybody)).count)
    expect(indexes.find(other.app.id)).toBeUndefined()
  })
})
