import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { type Condition, listRules, type Rule } from '../condition.ts'
import { readSegment } from './read-segment.ts'

const rule = { name: 'deviceType', operator: 'equal_to', value: 'ios' }

function faultOf(sent: unknown): RequestError {
  try {
    readSegment(sent)
  } catch (error) {
    expect(error).toBeInstanceOf(RequestError)
    return error as RequestError
  }
  throw new Error('The segment was taken.')
}

function outline(condition: Condition<Rule>): unknown {
  if ('all' in condition) return { all: condition.all.map(outline) }
  if ('any' in condition) return { any: condition.any.map(outline) }
  return `${condition.rule.field.name} ${condition.rule.operator}`
}

describe('a segment', () => {
  it('has one step for each rule of all, and one for an any beside it', () => {
    const any = [rule, { name: 'tags', operator: 'include', value: ['vip'] }]
    const steps = readSegment({ all: [rule, { any }], any })
    expect(steps.map((step) => step.sent)).toEqual([rule, { any }, { any }])
    const either = { any: ['deviceType equal_to', 'tags include'] }
    expect(steps.map((step) => outline(step.condition))).toEqual(['deviceType equal_to', { all: [either] }, either])
  })

  it('may have only any', () => {
    expect(readSegment({ any: [rule] }).map((step) => outline(step.condition))).toEqual([
      { any: ['deviceType equal_to'] },
    ])
  })

  it.each([
    [undefined],
    [null],
    ['all'],
    [[]],
    [[rule]],
    [{}],
    [{ all: [] }],
    [{ any: [] }],
    [{ all: rule }],
    [{ all: null }],
  ])('is not %j', (sent) => {
    expect(faultOf(sent).status).toBe(400)
  })

  it('is refused with an unknown key, wherever it is', () => {
    expect(faultOf({ all: [rule], al: [] }).message).toBe('Unknown key "al". A segment has "all", "any" or both.')
    expect(faultOf({ all: [rule, { ...rule, valu: 1 }] }).message).toBe(
      'Rule 2 of "all": Unknown key "valu". A rule has "name", "operator" and "value".',
    )
    expect(faultOf({ all: [{ all: [rule], name: 'tags' }] }).message).toContain('Unknown key "all"')
  })

  it.each(['name', 'operator', 'value'] as const)('is refused with a rule that has no %s', (key) => {
    const { [key]: _, ...rest } = rule
    for (const sent of [rest, { ...rule, [key]: null }]) {
      const fault = faultOf({ all: [sent] })
      expect(fault.code).toBe('invalid-segment')
      expect(fault.message).toBe(`Rule 1 of "all": "${key}" is required.`)
    }
  })

  it('says which rule has an unknown name, and which names there are', () => {
    const fault = faultOf({ all: [rule, rule, { ...rule, name: 'instalDate' }] })
    expect(fault.message).toMatch(/^Rule 3 of "all": There is no name "instalDate"\. Expected one of installDate, /)
    expect(fault.message).toContain('<event>.count|first|last|sum|avg|min|max|lastValue')
    expect(fault.details).toEqual({ field: 'all[2].name' })
  })

  it('says which operators a name takes', () => {
    expect(faultOf({ all: [{ any: [rule, { ...rule, operator: 'equals' }] }] }).message).toBe(
      'Rule 2 of "any" in rule 1 of "all": There is no operator "equals". "deviceType" takes equal_to, not_equal, include, not_include.',
    )
  })

  it('has at most so many rules in all, and so many values in each', () => {
    const half = Array.from({ length: limits.rulesPerSegment / 2 }, () => rule)
    expect(readSegment({ all: half, any: half }).flatMap((step) => listRules(step.condition))).toHaveLength(
      limits.rulesPerSegment,
    )
    expect(faultOf({ all: [rule, ...half], any: half }).status).toBe(413)
    const values = Array.from({ length: limits.valuesPerRule + 1 }, (_, index) => `v${index}`)
    expect(faultOf({ all: [{ ...rule, operator: 'include', value: values }] }).message).toBe(
      'Rule 1 of "all": There are 10001 values; at most 10000 are allowed.',
    )
  })

  it('is nested at most eight levels deep', () => {
    const nested = (levels: number): object => (levels === 1 ? { all: [rule] } : { all: [nested(levels - 1)] })
    expect(readSegment(nested(8))).toHaveLength(1)
    expect(faultOf(nested(9)).message).toContain('nested deeper than 8 levels')
  })
})
