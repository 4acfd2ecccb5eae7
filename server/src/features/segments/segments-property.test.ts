import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { effortLevel } from '@peyk/test/runner/effort.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { compileAudience } from './compile/compile-audience.ts'
import { compileCondition, type EitherForm, installed } from './compile/compile-condition.ts'
import { countSegment } from './count/count-segment.ts'
import { type Device, evaluateSegment, evaluateTarget, isCounted, type World } from './evaluate.test-support.ts'
import { readAudience } from './read/read-audience.ts'
import type { Audience } from './read/resolve-audience.ts'
import { anyRule, anySegment, anyTarget } from './segment-arbitraries.test-support.ts'
import { makeWorld, storeWorld } from './world.test-support.ts'

const effortShare = effortLevel === 'usual' ? 1 : 3
const at = new Date('2026-11-15T10:00:00.000Z')
const world: World = makeWorld(20_261_115, { people: 120, devices: 300 }, at.getTime())
const store = await createTestStore()
let ctx: Context

beforeAll(async () => {
  ctx = await createTestApp(store, { at: () => at })
  await storeWorld(ctx, world)
  const neighbour = await createTestApp(store)
  await storeWorld(neighbour, makeWorld(7, { people: 120, devices: 300 }, at.getTime()))
  await store.query(sql`analyze`)
})

async function findIn(form: EitherForm, audience: Audience): Promise<number[]> {
  const { steps, scope } = await readAudience(ctx, audience, at)
  const condition = compileCondition({ all: steps.map((step) => step.condition) }, scope, form)
  return select(sql`${installed(ctx.app.id)} and ${condition}`)
}

async function select(condition: ReturnType<typeof sql>): Promise<number[]> {
  const rows = await store.query<{ no: number }>(
    sql`select i.installation_no as no from installations i where ${condition} order by i.installation_no`,
  )
  return rows.map((row) => row.no)
}

function evaluated(holds: (device: Device) => boolean): Device[] {
  return world.devices.filter((device) => isCounted(device) && holds(device))
}

const numbersOf = (devices: Device[]) => devices.map((device) => device.no).sort((a, b) => a - b)

describe('what SQL finds is what the reference evaluator finds', () => {
  it('for every operator of every name', async () => {
    await fc.assert(
      fc.asyncProperty(anyRule(world), async (rule) => {
        const expected = numbersOf(evaluated((device) => evaluateSegment(rule, device, world)))
        expect(await findIn('exists', { segment: { all: [rule] } })).toEqual(expected)
      }),
      { numRuns: 200 * effortShare },
    )
  })

  it('for segments with all, any and nesting, however alternatives are written', async () => {
    await fc.assert(
      fc.asyncProperty(anySegment(world), async (segment) => {
        const expected = numbersOf(evaluated((device) => evaluateSegment(segment, device, world)))
        for (const form of ['exists', 'in', 'union'] as const) expect(await findIn(form, { segment })).toEqual(expected)
        expect(await select(await compileAudience(ctx, { segment }, at))).toEqual(expected)
      }),
      { numRuns: 100 * effortShare },
    )
  })

  it('for where-filters', async () => {
    await fc.assert(
      fc.asyncProperty(anyTarget(world), async (target) => {
        const expected = numbersOf(evaluated((device) => evaluateTarget(target, device, world)))
        for (const form of ['exists', 'union'] as const) expect(await findIn(form, { target })).toEqual(expected)
      }),
      { numRuns: 130 * effortShare },
    )
  })

  it('for the funnel, rule by rule, and for the users', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRule(world), { minLength: 1, maxLength: 4 }), async (rules) => {
        const { count, users, funnel } = await countSegment(ctx, { all: rules })
        const left = rules.map((_, index) =>
          evaluated((device) => evaluateSegment({ all: rules.slice(0, index + 1) }, device, world)),
        )
        const last = left.at(-1) as Device[]
        expect(funnel).toEqual(rules.map((rule, index) => ({ rule, count: left[index]?.length })))
        expect({ count, users }).toEqual({ count: last.length, users: new Set(last.map((one) => one.person)).size })
      }),
      { numRuns: 70 * effortShare },
    )
  })
})
