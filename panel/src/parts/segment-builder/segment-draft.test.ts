import { describe, expect, it } from 'vitest'
import { choiceOf, keepValue, listChoices } from './choices.ts'
import { readHours, writeHours } from './hours.ts'
import {
  completePart,
  hasWholeRule,
  isComplete,
  isEmpty,
  listRules,
  readDraft,
  startingSegment,
  writeDraft,
} from './segment-draft.ts'

const ios = { name: 'deviceType', operator: 'equal_to', value: 'ios' }
const vip = { name: 'tags', operator: 'include', value: ['vip'] }

describe('a draft', () => {
  it.each([[{ all: [ios] }], [{ any: [ios, vip] }], [{ all: [ios, { any: [vip, { all: [ios, vip] }] }] }]])(
    'of %j is written as it was read',
    (segment) => {
      expect(writeDraft(readDraft(segment) as never)).toEqual(segment)
    },
  )

  it('draws an `any` beside `all` as a group among the others', () => {
    expect(writeDraft(readDraft({ all: [ios], any: [vip, ios] }) as never)).toEqual({ all: [ios, { any: [vip, ios] }] })
  })

  it.each([
    [{ deviceType: 'ios' }],
    [{ all: 5 }],
    [{ all: [5] }],
    [{ all: [{ ...ios, extra: 1 }] }],
    [{ all: [{ name: 5, operator: 'equal_to', value: 1 }] }],
    ['text'],
    [[ios]],
  ])('is not made of %j', (value) => {
    expect(readDraft(value)).toBeUndefined()
    expect(isComplete(value)).toBe(true)
    expect(isEmpty(value)).toBe(false)
  })

  it('gives each part a key of its own', () => {
    const draft = readDraft({ all: [ios, ios, { any: [ios] }] })
    const keys = listRules(draft as never).map(({ key }) => key)
    expect(new Set(keys).size).toBe(3)
  })

  it('is complete when every rule has a value and every group a rule', () => {
    expect(isEmpty(undefined)).toBe(true)
    expect(isEmpty({})).toBe(true)
    expect(isComplete({ all: [ios] })).toBe(true)
    for (const value of [undefined, null, '', []]) expect(isComplete({ all: [{ ...ios, value }] })).toBe(false)
    expect(isComplete({ all: [{ ...ios, value: 0 }] })).toBe(true)
    expect(isComplete({ all: [{ ...ios, value: false }] })).toBe(true)
    expect(isComplete({ all: [ios, { any: [] }] })).toBe(false)
  })
})

it('has a part that can be counted while a rule is unfinished', () => {
  const unfinished = { ...vip, value: [] }
  expect(completePart({ all: [ios, vip, { any: [] }] })).toEqual({ all: [ios, vip] })
  expect(completePart({ all: [ios, { any: [unfinished, { all: [vip, unfinished] }] }] })).toEqual({
    all: [ios, { any: [{ all: [vip] }] }],
  })
  const whole = { all: [ios, { any: [vip] }] }
  expect(completePart(whole)).toBe(whole)
  const foreign = { deviceType: 'ios' }
  expect(completePart(foreign)).toBe(foreign)
  for (const value of [undefined, {}, startingSegment(), { any: [unfinished, { all: [] }] }])
    expect(completePart(value)).toBeUndefined()
})

describe('choices', () => {
  it('are an operator with the form of its value', () => {
    expect(choiceOf('time', 'after', '6h')).toEqual({ operator: 'after', form: 'ago' })
    expect(choiceOf('time', 'after', '2026-11-15T00:00:00Z')).toEqual({ operator: 'after', form: 'date' })
    expect(choiceOf('time', 'lesser_than', undefined)).toEqual({ operator: 'lesser_than', form: 'date' })
    expect(choiceOf('number', 'include', [1])).toEqual({ operator: 'include', form: 'many' })
    expect(choiceOf('text', 'equal_to', '6h')).toEqual({ operator: 'equal_to', form: 'one' })
  })

  it('have all operators of a kind, and the one that is used', () => {
    const operators = ['before', 'after', 'equal_to']
    const used = { operator: 'equal_to', form: 'ago' } as const
    const listed = listChoices('time', operators, used)
    expect(new Set(listed.map(({ operator }) => operator))).toEqual(new Set(operators))
    expect(listed).toContainEqual(used)
    expect(listed[0]).toEqual({ operator: 'after', form: 'ago' })
  })

  it('keep what was typed where it still means something', () => {
    const one = { operator: 'equal_to', form: 'one' } as const
    const many = { operator: 'include', form: 'many' } as const
    expect(keepValue('a', one, many)).toEqual(['a'])
    expect(keepValue(['a', 'b'], many, one)).toBe('a')
    expect(keepValue('6h', { operator: 'after', form: 'ago' }, { operator: 'after', form: 'date' })).toBeUndefined()
  })
})

it('a new segment has a rule to fill in, and leaves nobody out yet', () => {
  const segment = startingSegment()
  expect([isEmpty(segment), isComplete(segment), hasWholeRule(segment)]).toEqual([false, false, false])
  const filled = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'ios' }, { any: [segment] }] }
  expect([isComplete(filled), hasWholeRule(filled)]).toEqual([false, true])
})

it.each([
  ['6h', 6, 'hours'],
  ['24h', 24, 'hours'],
  ['72h', 3, 'days'],
  ['168h', 7, 'days'],
  ['336h', 2, 'weeks'],
  ['1.5h', 1.5, 'hours'],
  ['0h', 0, 'hours'],
] as const)('%s is %d %s', (text, amount, unit) => {
  expect(readHours(text)).toEqual({ amount, unit })
  expect(writeHours(amount, unit)).toBe(text)
})

it('what is no number of hours is none', () => {
  for (const value of ['6', 'h', 6, undefined, '-1h']) expect(readHours(value)).toBeUndefined()
})
