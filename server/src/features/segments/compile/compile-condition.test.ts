import { describe, expect, it } from 'vitest'
import type { ValueKind } from '../../installations/attributes/value-kind.ts'
import { checkRuleValues } from '../read/check-rule-values.ts'
import { readSegment } from '../read/read-segment.ts'
import { readTarget } from '../read/read-target.ts'
import { compileCondition, type EitherForm, installed } from './compile-condition.ts'

const at = new Date('2026-11-15T10:00:00Z')
const attributeKinds = new Map<string, ValueKind>([
  ['age', 'number'],
  ['colour', 'text'],
  ['theme', 'text'],
])
const scope = { appId: 7, ownAttributes: new Set(['theme']) }

function compile(sent: object, form?: EitherForm): { text: string; values: unknown[] } {
  const steps = 'all' in sent || 'any' in sent ? readSegment(sent) : readTarget(sent)
  const conditions = steps.map((step) => checkRuleValues(step.condition, { attributeKinds, at }))
  const { text, values } = compileCondition({ all: conditions }, scope, form)
  return { text: text.replace(/\s+/g, ' '), values }
}

const rule = (name: string, operator: string, value: unknown) => ({ all: [{ name, operator, value }] })

describe('a rule as SQL', () => {
  it('holds no value, only parameters', () => {
    const { text, values } = compile(rule("tags.'; drop table users; --", 'include', ["it's", 'b']))
    expect(text).toBe(
      '(exists (select from user_tags x where x.app_id = $1 and x.tag = $2 and x.value = any($3::text[]) and x.user_no = i.user_no))',
    )
    expect(values).toEqual([7, "'; drop table users; --", ["it's", 'b']])
  })

  it('compares moments by whole milliseconds, measured from the accept moment', () => {
    expect(compile(rule('installDate', 'after', '6h'))).toEqual({
      text: '((i.installed_at >= $1::timestamptz))',
      values: ['2026-11-15T04:00:00.001Z'],
    })
    expect(compile(rule('launchTime', 'before', '6h'))).toEqual({
      text: '((i.launched_at < $1::timestamptz))',
      values: ['2026-11-15T04:00:00.000Z'],
    })
    expect(installed(7, at).values).toEqual([7, '2026-11-15T10:00:00.001Z'])
  })

  it.each([
    ['greater_than', 0, 'exists', 'x.count >= $3::bigint'],
    ['equal_to', 0, 'not exists', 'not (x.count = $3::bigint)'],
    ['lesser_than', 3, 'not exists', 'not (x.count < $3::bigint)'],
    ['not_equal', 3, 'not exists', 'x.count = $3::bigint'],
    ['not_equal', 0, 'exists', 'not (x.count = $3::bigint)'],
    ['include', [0, 2], 'not exists', 'not (x.count = any($3::bigint[]))'],
  ])('about a count %s %j looks for counters that exist', (operator, value, quantifier, test) => {
    const { text, values } = compile(rule('Purchase.count', operator, value))
    expect(text).toBe(
      `(${quantifier} (select from event_counters x where x.app_id = $1 and x.event_key = $2 and ${test} and x.installation_no = i.installation_no))`,
    )
    expect(values.slice(0, 2)).toEqual([7, 'purchase'])
  })

  it('about an attribute that was never set is a constant', () => {
    expect(compile(rule('attributes.never', 'equal_to', 1)).text).toBe('(false)')
    expect(compile(rule('attributes.never', 'not_equal', 1)).text).toBe('(true)')
  })

  it('about an attribute looks at installations only when some have it as their own', () => {
    expect(compile(rule('attributes.colour', 'equal_to', 'red')).text).not.toContain('installation_attributes')
    expect(compile(rule('attributes.theme', 'equal_to', 'dark')).text).toContain('installation_attributes')
  })

  it('about a text attribute uses the index, and looks at the whole text only if it is long', () => {
    expect(compile(rule('attributes.colour', 'equal_to', 'red')).text).toContain(
      'left(x.text, 100) = $3::text and x.user',
    )
    const long = compile(rule('attributes.colour', 'equal_to', `${'😀'.repeat(100)}!`))
    expect(long.text).toContain('left(x.text, 100) = $3::text and x.text = $4::text')
    expect(long.values.slice(2)).toEqual(['😀'.repeat(100), `${'😀'.repeat(100)}!`])
  })

  it('looks a range up once, though it is two rules', () => {
    const both = compile({ 'attributes.age': { gte: 18, lt: 30 } })
    expect(both.text.match(/user_attributes/g)).toHaveLength(1)
    expect(both.text).toContain('x.number >= $4::double precision and x.number < $5::double precision')
  })

  it('about the default channel is a constant: everybody is on it', () => {
    expect(compile({ channel: { inq: ['news', 'default'] } }).text).toBe('(true)')
    expect(compile({ channel: { neq: '' } }).text).toBe('(false)')
  })

  it('about ids leaves out what is none', () => {
    expect(compile({ id: 'no uuid' }).text).toBe('((false))')
  })
})

describe('alternatives as SQL', () => {
  const mixed = {
    any: [
      { name: 'tags', operator: 'equal_to', value: 'vip' },
      { name: 'deviceType', operator: 'equal_to', value: 'ios' },
    ],
  }

  it('are written in three ways', () => {
    expect(compile(mixed, 'exists').text).toMatch(/^\(\(exists \(select from user_tags .*\) or \(i.device_type = /)
    expect(compile(mixed, 'in').text).toMatch(/^\(\(i.user_no in \(select x.user_no from user_tags .*\) or \(i.device/)
    expect(compile(mixed, 'union').text).toMatch(
      /^\(i.installation_no in \(select i.installation_no from .* union select /,
    )
  })

  it('of the installation alone are written in one way', () => {
    const plain = { any: [mixed.any[1], { name: 'language', operator: 'equal_to', value: 'fa' }] }
    const texts = (['exists', 'in', 'union'] as const).map((form) => compile(plain, form).text)
    expect(new Set(texts)).toEqual(new Set(['(((i.device_type = $1::text) or (i.language = $2::text)))']))
  })
})
