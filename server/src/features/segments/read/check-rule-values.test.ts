import { describe, expect, it } from 'vitest'
import { RequestError } from '#base/errors.ts'
import type { ValueKind } from '../../installations/attributes/value-kind.ts'
import type { FittedRule } from '../condition.ts'
import { checkRuleValues, type FitOptions } from './check-rule-values.ts'
import { readSegment } from './read-segment.ts'
import { readTarget } from './read-target.ts'

const at = new Date('2026-11-15T10:00:00Z')
const attributeKinds = new Map<string, ValueKind>([
  ['age', 'number'],
  ['colour', 'text'],
  ['isPremium', 'boolean'],
  ['bornAt', 'date'],
  ['likes', 'list'],
])

function fit(name: string, operator: string, value: unknown, options: Partial<FitOptions> = {}): FittedRule {
  const [step] = readSegment({ all: [{ name, operator, value }] })
  const fitted = checkRuleValues(step?.condition ?? { all: [] }, { attributeKinds, at, ...options })
  return (fitted as { rule: FittedRule }).rule
}

function faultOf(fitting: () => unknown): string {
  try {
    fitting()
  } catch (error) {
    expect(error).toBeInstanceOf(RequestError)
    expect((error as RequestError).code).toBe('invalid-segment')
    return (error as RequestError).message
  }
  throw new Error('The rule was taken.')
}

const sixHoursAgo = at.getTime() - 6 * 3_600_000

describe('values of times', () => {
  it.each([
    ['after', '6h', { from: { value: sixHoursAgo, isInclusive: false } }],
    ['before', '6h', { to: { value: sixHoursAgo, isInclusive: false } }],
    ['before', '0h', { to: { value: at.getTime(), isInclusive: false } }],
    ['before', '1.5h', { to: { value: at.getTime() - 5_400_000, isInclusive: false } }],
    ['after', '2026-11-15T04:00:00Z', { from: { value: sixHoursAgo, isInclusive: false } }],
    ['after', '2026-11-15T07:30:00+03:30', { from: { value: sixHoursAgo, isInclusive: false } }],
    ['after', 'Sun, 15 Nov 2026 04:00:00 GMT', { from: { value: sixHoursAgo, isInclusive: false } }],
    ['after', '2026-11-15', { from: { value: Date.parse('2026-11-15'), isInclusive: false } }],
    ['after', sixHoursAgo, { from: { value: sixHoursAgo, isInclusive: false } }],
    ['after', String(sixHoursAgo), { from: { value: sixHoursAgo, isInclusive: false } }],
    ['greater_equals', 0, { from: { value: 0, isInclusive: true } }],
    ['equal_to', sixHoursAgo, { in: [sixHoursAgo] }],
  ])('%s %j', (operator, value, test) => {
    expect(fit('installDate', operator, value).test).toEqual(test)
  })

  it.each(['6', 6, 'h', '-6h', '6 hours', '', 'yesterday', true, {}, ['6h'], '2026-11-15T04:00:00', 1e17])(
    'before and after do not take %j',
    (value) => {
      expect(faultOf(() => fit('installDate', 'after', value))).toBe(
        `Rule 1 of "all": Expected a number of hours such as "6h", got ${JSON.stringify(value)}.`,
      )
    },
  )

  it('go back no further than the store can', () => {
    expect(fit('launchTime', 'after', '99999999999h').test).toEqual({
      from: { value: Date.parse('0001-01-01T00:00:00Z'), isInclusive: false },
    })
  })
})

describe('values', () => {
  it.each([
    ['launchCount', 'greater_than', '3', { from: { value: 3, isInclusive: false } }],
    ['launchCount', 'include', [1, '2', 2], { in: [1, 2] }],
    ['launchCount', 'include', 4, { in: [4] }],
    ['purchase.avg', 'lesser_equals', 2.5, { to: { value: 2.5, isInclusive: true } }],
    ['deviceType', 'equal_to', 'ios', { in: ['ios'] }],
    ['userId', 'equal_to', 42, { in: ['42'] }],
    ['clientVersion', 'equal_to', 2, { in: ['b2#'] }],
    ['channel', 'include', ['news', '/private/orders', ''], { in: ['public/news', 'orders', 'public/default'] }],
    ['attributes.age', 'lesser_than', '18', { to: { value: 18, isInclusive: false } }],
    ['attributes.isPremium', 'equal_to', 'true', { in: [1] }],
    ['attributes.isPremium', 'equal_to', 0, { in: [0] }],
    ['attributes.colour', 'equal_to', 7, { in: ['7'] }],
    ['attributes.bornAt', 'after', '6h', { from: { value: sixHoursAgo, isInclusive: false } }],
    ['attributes.likes', 'include', ['tea'], { in: ['tea'] }],
  ])('%s %s %j', (name, operator, value, test) => {
    expect(fit(name, operator, value).test).toEqual(test)
  })

  it.each([
    ['launchCount', 'greater_than', 'many', 'Expected a number, got "many".'],
    ['launchCount', 'greater_than', '', 'Expected a number, got "".'],
    ['launchCount', 'equal_to', [1], 'Expected a number, got [1].'],
    ['launchCount', 'include', [], 'Expected one or more values, got an empty array.'],
    ['launchCount', 'include', [1, null], 'Expected a number, got null.'],
    ['launchCount', 'greater_than', Number.POSITIVE_INFINITY, 'Expected a number, got null.'],
    ['clientVersion', 'greater_than', 'beta', 'Expected a version such as "1.10.2", got "beta".'],
    ['deviceType', 'equal_to', true, 'Expected a text, got true.'],
    ['tags', 'include', [{}], 'Expected a tag, got {}.'],
    ['channel', 'equal_to', false, 'Expected a channel, got false.'],
    ['attributes.isPremium', 'equal_to', 'yes', 'Expected true or false, got "yes".'],
    ['attributes.age', 'equal_to', 'old', 'Expected a number, got "old".'],
    ['attributes.never', 'equal_to', {}, 'Expected a text, a number, true or false, got {}.'],
    ['attributes.never', 'include', [[]], 'Expected a text, a number, true or false, got [].'],
  ])('%s %s does not take %j', (name, operator, value, message) => {
    expect(faultOf(() => fit(name, operator, value))).toBe(`Rule 1 of "all": ${message}`)
  })
})

describe('operators', () => {
  it.each([
    ['deviceType', 'greater_than', 'equal_to, not_equal, include, not_include'],
    ['tags', 'before', 'equal_to, not_equal, include, not_include'],
    ['launchCount', 'after', 'equal_to, not_equal, lesser_than, lesser_equals, greater_than, greater_equals, include,'],
    ['installDate', 'include', 'before, after, equal_to, not_equal, lesser_than,'],
    ['attributes.colour', 'lesser_than', 'equal_to, not_equal, include, not_include'],
    ['attributes.likes', 'lesser_than', 'equal_to, not_equal, include, not_include'],
    ['attributes.age', 'before', 'equal_to, not_equal, lesser_than,'],
  ])('of %s are not %s', (name, operator, allowed) => {
    const message = faultOf(() => fit(name, operator, '6h'))
    expect(message).toContain(`Rule 1 of "all": "${name}" takes ${allowed}`)
    expect(message).toContain(`; got "${operator}".`)
  })

  it('of a filter are told in its own words', () => {
    const [step] = readTarget({ deviceType: { gt: 'a' } })
    expect(faultOf(() => checkRuleValues(step?.condition ?? { all: [] }, { attributeKinds, at }))).toBe(
      'Field "deviceType": "deviceType" takes eq, neq, inq, nin, exists; got "gt".',
    )
  })

  it.each([{ exists: 'maybe' }, { between: [1] }, { between: 5 }, { between: [1, 'x'] }])(
    'of a filter do not take %j',
    (test) => {
      const [step] = readTarget({ launchCount: test })
      faultOf(() => checkRuleValues(step?.condition ?? { all: [] }, { attributeKinds, at }))
    },
  )
})

describe('an attribute that does not suit', () => {
  it('is missing when it was never set, whatever is asked of it', () => {
    expect(fit('attributes.never', 'greater_than', 5)).toMatchObject({ kind: undefined, isNegated: false })
    expect(fit('attributes.never', 'not_equal', 'x')).toMatchObject({ kind: undefined, isNegated: true })
  })

  it('is missing in what was accepted before it got its kind', () => {
    const accepted = { wasAccepted: true }
    expect(fit('attributes.colour', 'greater_than', 5, accepted)).toMatchObject({ kind: undefined, isNegated: false })
    expect(fit('attributes.age', 'not_equal', 'old', accepted)).toMatchObject({ kind: undefined, isNegated: true })
    expect(fit('attributes.age', 'equal_to', 5, accepted)).toMatchObject({ kind: 'number' })
  })
})
