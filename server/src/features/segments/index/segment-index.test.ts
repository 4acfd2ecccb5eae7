import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { effortLevel } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { countSegment } from '../count/count-segment.ts'
import { countSteps } from '../count/count-steps.ts'
import { tryCountAudience } from '../count/try-count-audience.ts'
import { evaluateSegment, isCounted, type SentRule, type SentSegment, type World } from '../evaluate.test-support.ts'
import { readAudience } from '../read/read-audience.ts'
import { anySegment } from '../segment-arbitraries.test-support.ts'
import { changeWorld, makeWorld, seeded, storeChanged, storeWorld } from '../world.test-support.ts'
import { mayNeedIndex } from './index-store.ts'
import { createLogStore, openTestIndexes } from './log-store.test-support.ts'

const effortShare = effortLevel === 'usual' ? 1 : 10
const at = new Date('2026-11-15T10:00:00.000Z')
const world: World = makeWorld(31, { people: 60, devices: 150 }, at.getTime())
const { store } = await createLogStore()
const indexes = openTestIndexes(store)
let ctx: Context

const everybody: SentSegment = { all: [{ name: 'launchCount', operator: 'greater_than', value: 0 }] }
const rule = (name: string, operator: string, value: unknown): SentRule => ({ name, operator, value })

beforeAll(async () => {
  ctx = await createTestApp(store, { at: () => at })
  await storeWorld(ctx, world)
  const neighbour = await createTestApp(store)
  await storeWorld(neighbour, makeWorld(7, { people: 20, devices: 40 }, at.getTime()))
  await openIndex()
})

async function conditionsOf(segment: SentSegment) {
  const { steps, scope } = await readAudience(ctx, { segment }, at)
  return { conditions: steps.map((step) => step.condition), scope }
}

async function askIndex(segment: SentSegment) {
  const { conditions } = await conditionsOf(segment)
  return indexes.count({ appId: ctx.app.id, conditions, atMs: at.getTime() })
}

async function askSql(segment: SentSegment) {
  const { conditions, scope } = await conditionsOf(segment)
  return countSteps(store, conditions, scope)
}

/** Whoever asks opens it. */
async function openIndex() {
  return until(
    () => askIndex(everybody),
    (counts) => counts !== undefined,
  )
}

describe('the index of segments', () => {
  it('is needed by an estimate of how many installations there are', async () => {
    await store.query(sql`analyze installations`)
    expect(await mayNeedIndex(store, 100)).toBe(true)
    expect(await mayNeedIndex(store, 100_000)).toBe(false)
  })

  it('counts what SQL and the reference evaluator count, after each change', async () => {
    const random = seeded(11)
    let answers = 0
    await fc.assert(
      fc.asyncProperty(anySegment(world), async (segment) => {
        await storeChanged(ctx, changeWorld(world, random))
        const counts = await askIndex(segment)
        const found = world.devices.filter((one) => isCounted(one) && evaluateSegment(segment, one, world))
        expect((await askSql(segment)).left.at(-1)).toBe(found.length)
        if (!counts) return
        answers++
        expect(counts).toEqual(await askSql(segment))
      }),
      { numRuns: 20 * effortShare },
    )
    expect(answers).toBeGreaterThan(5)
  })

  it('is what segments are counted by, and SQL where it does not know', async () => {
    const found = await countSegment(ctx, { all: [rule('userId', 'equal_to', world.devices[0]?.person.userId)] })
    expect(found.count).toBe(
      world.devices.filter((one) => isCounted(one) && one.person === world.devices[0]?.person).length,
    )
    const counts = await askIndex(everybody)
    const { count, users } = await countSegment(ctx, everybody)
    expect({ left: [count], users }).toEqual(counts)
    expect(await tryCountAudience(ctx, { segment: everybody })).toEqual({ count, users })
    expect(await tryCountAudience({ ...ctx, tx: store as never }, { segment: everybody })).toBeUndefined()
  })

  it('keeps a long value that an update left alone', async () => {
    const userNo = world.devices[0]?.person.no
    const long = Array.from({ length: 300 }, (_, index) => `item ${index} ${Math.random()}`)
    await store.query(
      sql`alter table user_attributes alter column list set storage external, alter column value set storage external`,
    )
    await store.query(
      sql`insert into user_attributes (app_id, user_no, name, kind, list, value)
          values (${ctx.app.id}, ${userNo}, 'likes', 'list', ${long}, ${JSON.stringify(long)})
          on conflict (app_id, user_no, name) do update set kind = 'list', list = excluded.list, value = excluded.value,
            number = null, text = null`,
    )
    await store.query(
      sql`update user_attributes set number = null where app_id = ${ctx.app.id} and user_no = ${userNo} and name = 'likes'`,
    )
    const segment = { all: [rule('attributes.likes', 'equal_to', long[250])] }
    const counts = await askIndex(segment)
    expect(counts).toEqual(await askSql(segment))
    expect(counts?.users).toBeLessThanOrEqual(1)
    expect(indexes.find(ctx.app.id)?.isReady).toBe(true)
  })

  it('sees nothing of a transaction before its commit, and all of it then', async () => {
    const before = (await askIndex(everybody))?.left[0] as number
    const [device] = world.devices.filter((one) => isCounted(one))
    await store.transaction(async (tx) => {
      await tx.query(sql`update installations set uninstalled_at = now() where id = ${device?.id}`)
      expect((await askIndex(everybody))?.left).toEqual([before])
    })
    expect((await askIndex(everybody))?.left).toEqual([before - 1])
    await store.query(sql`update installations set uninstalled_at = null where id = ${device?.id}`)
  })

  it('is not opened for an app with few installations', async () => {
    const large = openTestIndexes(store, { fromInstallations: 100_000 })
    const question = { appId: ctx.app.id, conditions: [], atMs: at.getTime() }
    for (let asked = 0; asked < 3; asked++) expect(await large.count(question)).toBeUndefined()
    const [row] = await store.query<{ count: number }>(sql`select count(*) as count from pg_replication_slots`)
    expect(row?.count, 'the one of the other indexes').toBe(1)
  })
})

it('where PostgreSQL keeps no log that can be followed, SQL counts', async () => {
  const plain = await createTestStore()
  const own = await createTestApp(plain, { at: () => at })
  await storeWorld(own, makeWorld(3, { people: 5, devices: 10 }, at.getTime()))
  const none = openTestIndexes(plain)
  const { count } = await countSegment(own, { target: {} })
  expect(count).toBeGreaterThan(0)
  expect(none.find(own.app.id)).toBeUndefined()
})
