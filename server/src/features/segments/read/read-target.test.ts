import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import type { RequestError } from '#base/errors.ts'
import type { Condition, Rule } from '../condition.ts'
import { readTarget } from './read-target.ts'

function outline(condition: Condition<Rule>): unknown {
  if ('all' in condition) return { all: condition.all.map(outline) }
  if ('any' in condition) return { any: condition.any.map(outline) }
  const { field, operator, value } = condition.rule
  return [field.name, operator, value]
}

const read = (sent: unknown) => readTarget(sent).map((step) => outline(step.condition))

function faultOf(sent: unknown): RequestError {
  try {
    readTarget(sent)
  } catch (error) {
    return error as RequestError
  }
  throw new Error('The filter was taken.')
}

describe('a where-filter', () => {
  it('of no keys is everybody', () => {
    expect(readTarget({})).toEqual([])
  })

  it('has one step for each key', () => {
    const sent = { deviceType: 'ios', launchCount: { gte: 3, lt: '10' }, 'tags.city': { inq: ['tehran'] } }
    expect(read(sent)).toEqual([
      ['deviceType', 'equal_to', 'ios'],
      {
        all: [
          ['launchCount', 'greater_equals', 3],
          ['launchCount', 'lesser_than', '10'],
        ],
      },
      ['tags.city', 'include', ['tehran']],
    ])
    expect(readTarget(sent).map((step) => step.sent)).toEqual([
      { deviceType: 'ios' },
      { launchCount: sent.launchCount },
      { 'tags.city': { inq: ['tehran'] } },
    ])
  })

  it('takes every operator', () => {
    const words = { neq: 1, inq: [1], nin: [1], lt: 1, lte: 1, gt: 1, gte: 1, between: [1, 2], exists: true }
    const [condition] = read({ launchCount: words }) as [{ all: [string, string, unknown][] }]
    expect(condition.all.map(([, operator]) => operator)).toEqual([
      'not_equal',
      'include',
      'not_include',
      'lesser_than',
      'lesser_equals',
      'greater_than',
      'greater_equals',
      'between',
      'exists',
    ])
  })

  it('takes and and or, nested', () => {
    const sent = { or: [{ tags: 'vip' }, { and: [{ language: 'fa' }, { id: 'x', created: { gt: 0 } }] }] }
    expect(read(sent)).toEqual([
      {
        any: [
          { all: [['tags', 'equal_to', 'vip']] },
          {
            all: [
              {
                all: [
                  { all: [['language', 'equal_to', 'fa']] },
                  {
                    all: [
                      ['id', 'equal_to', 'x'],
                      ['created', 'greater_than', 0],
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    ])
  })

  it.each([
    [[], 'Expected a filter such as {"deviceType":"ios"}, got [].'],
    [null, 'Expected a filter such as {"deviceType":"ios"}, got null.'],
    [{ deviceTyp: 'ios' }, 'Field "deviceTyp": There is no such name. Expected one of installDate, '],
    [
      { deviceType: { equal: 'ios' } },
      'Field "deviceType": There is no operator "equal". Expected one of eq, neq, inq,',
    ],
    [{ deviceType: {} }, 'Field "deviceType": Expected a value or an operator'],
    [{ deviceType: null }, 'Field "deviceType": Expected a value, got null.'],
    [{ deviceType: { neq: null } }, 'Field "deviceType": Expected a value, got null.'],
    [{ or: [] }, '"or": expected an array of one or more filters, got [].'],
    [{ and: { deviceType: 'ios' } }, '"and": expected an array of one or more filters'],
    [{ or: [{}] }, '"or": expected filters such as {"deviceType":"ios"}, got {}.'],
    [
      { or: [{ tags: 'a' }, { and: [{ x: 1 }] }] },
      'Field "x" in part 1 of "and" in part 2 of "or": There is no such name.',
    ],
  ])('is not %j', (sent, message) => {
    const fault = faultOf(sent)
    expect(fault.code).toBe('invalid-segment')
    expect(fault.message).toContain(message)
  })

  it('says where the fault is', () => {
    expect(faultOf({ or: [{ tags: 'a' }, { launchCount: { more: 1 } }] }).details).toEqual({
      field: 'or[1].launchCount.more',
    })
  })

  it('has the limits of a segment', () => {
    const many = Array.from({ length: limits.rulesPerSegment + 1 }, (_, index) => ({ userId: `u${index}` }))
    expect(faultOf({ or: many }).status).toBe(413)
    expect(faultOf({ userId: { inq: Array(limits.valuesPerRule + 1).fill('u') } }).status).toBe(413)
    const nested = (levels: number): object => (levels === 1 ? { tags: 'a' } : { and: [nested(levels - 1)] })
    expect(read(nested(8))).toHaveLength(1)
    expect(faultOf(nested(9)).message).toContain('nested deeper than 8 levels')
  })
})
