import { effortLevel } from '@peyk/test/runner/effort.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Condition, FittedRule, Rule, Step } from '../condition.ts'
import type { StepCounts } from '../count/count-steps.ts'
import { evaluateSegment, evaluateTarget, isCounted, type SentSegment, type World } from '../evaluate.test-support.ts'
import { checkRuleValues } from '../read/check-rule-values.ts'
import { readSegment } from '../read/read-segment.ts'
import { readTarget } from '../read/read-target.ts'
import { anyRule, anySegment, anyTarget } from '../segment-arbitraries.test-support.ts'
import { changeWorld, makeWorld, seeded, vocabulary } from '../world.test-support.ts'
import { lendBitmaps } from './columns/bitmap.ts'
import { countRows } from './count-rows.ts'
import { putChanged } from './fill-data.test-support.ts'
import { listRows } from './list-rows.ts'
import { numbersIn } from './listed-part.ts'
import { NotKept } from './not-kept.ts'
import { SegmentData } from './segment-data.ts'

const effortShare = effortLevel === 'usual' ? 1 : 10
const at = new Date('2026-11-15T10:00:00.000Z')
const world: World = makeWorld(20_261_118, { people: 120, devices: 300 }, at.getTime())
const data = new SegmentData()

beforeAll(() => {
  const people = [...new Set(world.devices.map((device) => device.person))]
  for (const [index, person] of people.entries()) person.no = index * 7 + 1
  for (const [index, device] of world.devices.entries()) device.no = 2 ** 33 + index * 3
  putChanged(data, { people, devices: world.devices })
  const random = seeded(5)
  for (let round = 0; round < 40; round++) putChanged(data, changeWorld(world, random))
})

function fit(steps: Step<Rule>[]): Condition<FittedRule>[] {
  return steps.map(({ condition }) => checkRuleValues(condition, { attributeKinds: world.kinds, at }))
}

/** What the index does not keep, it says so of. */
function tryCount(columns: SegmentData, steps: Step<Rule>[]): StepCounts | undefined {
  try {
    return lendBitmaps(() => countRows(columns, fit(steps)))
  } catch (error) {
    if (error instanceof NotKept) return undefined
    throw error
  }
}

function count(steps: Step<Rule>[]): StepCounts {
  const counts = tryCount(data, steps)
  fc.pre(counts !== undefined)
  return counts as StepCounts
}

const counted = () => world.devices.filter((device) => isCounted(device))

/** What is asked again and again with another bound is remembered, and followed. */
const sentAgain = (index: number): SentSegment => ({
  all: [
    { name: 'tags', operator: 'not_include', value: [vocabulary.tags[0]] },
    { name: 'launchCount', operator: 'greater_than', value: index % 7 },
  ],
})

/** Arrays begin empty and grow by half: every size at which one of them grows is passed here. */
it('counts right at every size', () => {
  const growing: World = { ...makeWorld(9, { people: 250, devices: 600 }, at.getTime()), devices: [] }
  const { devices } = makeWorld(9, { people: 250, devices: 600 }, at.getTime())
  const columns = new SegmentData()
  const [segments] = fc.sample(fc.array(anySegment(world), { minLength: devices.length, maxLength: devices.length }), {
    numRuns: 1,
    seed: 18,
  }) as [SentSegment[]]
  const numbers = new Map(devices.map((device, index) => [device.person, index * 5 + 1]))
  for (const [index, device] of devices.entries()) {
    device.person.no = numbers.get(device.person) as number
    device.no = index * 3
    putChanged(columns, { people: [device.person], devices: [device] })
    growing.devices.push(device)
    const there = growing.devices.filter((one) => isCounted(one))
    const all = { left: [there.length], users: new Set(there.map((one) => one.person)).size }
    expect(countRows(columns, []), `${index + 1} installations`).toEqual(all)
    const again = sentAgain(index)
    const foundAgain = there.filter((one) => evaluateSegment(again, one, growing))
    const { left, users } = countRows(columns, fit(readSegment(again)))
    expect([left.at(-1), users]).toEqual([foundAgain.length, new Set(foundAgain.map((one) => one.person)).size])
    const segment = segments[index] as SentSegment
    const found = tryCount(columns, readSegment(segment))
    if (!found) continue
    expect(found.left.at(-1), JSON.stringify(segment)).toBe(
      there.filter((one) => evaluateSegment(segment, one, growing)).length,
    )
  }
})

describe('what the columns count after a history of changes is what the reference evaluator counts', () => {
  it('for every operator of every name, rule by rule, and for the users', () => {
    fc.assert(
      fc.property(fc.array(anyRule(world), { minLength: 1, maxLength: 4 }), (rules) => {
        const { left, users } = count(readSegment({ all: rules }))
        const expected = rules.map((_, index) =>
          counted().filter((device) => evaluateSegment({ all: rules.slice(0, index + 1) }, device, world)),
        )
        expect(left).toEqual(expected.map((devices) => devices.length))
        expect(users).toBe(new Set(expected.at(-1)?.map((device) => device.person)).size)
      }),
      { numRuns: 200 * effortShare },
    )
  })

  it('for segments with all, any and nesting', () => {
    fc.assert(
      fc.property(anySegment(world), (segment) => {
        const { left } = count(readSegment(segment))
        const found = counted().filter((device) => evaluateSegment(segment, device, world))
        expect(left.at(-1)).toBe(found.length)
        const listed = listRows(data, fit(readSegment(segment))).flatMap((part) => [...numbersIn(part)])
        expect(listed.sort((a, b) => a - b)).toEqual(found.map(({ no }) => no).sort((a, b) => a - b))
      }),
      { numRuns: 150 * effortShare },
    )
  })

  it('for where-filters', () => {
    fc.assert(
      fc.property(anyTarget(world), (target) => {
        const { left } = count(readTarget(target))
        expect(left.at(-1)).toBe(counted().filter((device) => evaluateTarget(target, device, world)).length)
      }),
      { numRuns: 150 * effortShare },
    )
  })
})
