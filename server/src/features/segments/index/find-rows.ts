import { defaultChannel, subscriptionOf } from '../../installations/channels/channel.ts'
import { passes } from '../compile/compile-comparison.ts'
import type { Condition, FittedRule, Range, Scalar, Test } from '../condition.ts'
import type { Aggregate, Field } from '../fields.ts'
import type { AttributeFacts } from './columns/attribute-facts.ts'
import { type Bitmap, createBitmap, intersect, invert, subtract, unite } from './columns/bitmap.ts'
import { keyOf } from './key-of.ts'
import { NotKept } from './not-kept.ts'
import { numberRanges, wholeRanges } from './number-range.ts'
import type { SegmentData, TextColumn, TimeColumn } from './segment-data.ts'

/**
 * Rows of users or of installations. What is asked of users is put together as such, and looked up once for each
 * installation.
 */
interface Found {
  of: 'users' | 'installations'
  bits: Bitmap
}

/** The installations for which a condition holds: a second way to compile it, beside compile-condition.ts. */
export function findRows(data: SegmentData, condition: Condition<FittedRule>): Bitmap {
  return ofInstallations(data, find(data, condition), condition)
}

function find(data: SegmentData, condition: Condition<FittedRule>): Found {
  if ('rule' in condition) return findRule(data, condition.rule)
  const [parts, combine] = 'all' in condition ? [condition.all, intersect] : [condition.any, unite]
  const found = parts.map((part) => find(data, part))
  const together = (of: Found['of']) => found.filter((one) => one.of === of).map((one) => one.bits)
  const [users, installations] = [together('users'), together('installations')]
  if (users.length === 0 && installations.length === 0) return constant(data, 'all' in condition)
  if (users.length === 0) return { of: 'installations', bits: installations.reduce(combine) }
  const combined: Found = { of: 'users', bits: users.reduce(combine) }
  if (installations.length === 0) return combined
  return { of: 'installations', bits: installations.reduce(combine, ofInstallations(data, combined, condition)) }
}

/** `asked`: what the bits are the answer to. */
function ofInstallations({ userRows, rows }: SegmentData, { of, bits }: Found, asked: Condition<FittedRule>): Bitmap {
  return of === 'installations' ? bits : userRows.spread(bits, rows, keyOf(asked))
}

function constant(data: SegmentData, holds: boolean): Found {
  const bits = createBitmap(data.rows)
  return { of: 'installations', bits: holds ? invert(bits) : bits }
}

function findRule(data: SegmentData, rule: FittedRule): Found {
  const { field, test, kind, isNegated } = rule
  const { source } = field
  const exists = 'exists' in test
  const users = (bits: Bitmap): Found => ({ of: 'users', bits: isNegated ? invert(bits) : bits })
  const installations = (bits: Bitmap): Found => ({ of: 'installations', bits: isNegated ? invert(bits) : bits })
  switch (source.from) {
    case 'column':
      if (exists && !source.isNullable) return constant(data, !isNegated)
      return installations(findColumn(data, source.column, test))
    case 'channels':
      if (!('in' in test) || test.in.includes(subscriptionOf(defaultChannel))) return constant(data, !isNegated)
      return installations(findChannels(data, test.in))
    case 'user':
      if (exists) return constant(data, !isNegated)
      throw new NotKept('User ids are not kept.')
    case 'tags':
      return users(findTags(data, test))
    case 'value-tag': {
      const none = () => createBitmap(data.rows)
      return users(data.tags.get(source.key)?.findValues(data.rows, textTest(test)) ?? none())
    }
    case 'attribute': {
      if (kind === undefined) return constant(data, isNegated)
      const ofUsers = findAttribute(data.userAttributes.get(source.name), data.rows, kind, test)
      const own = data.ownAttributes.get(source.name)
      if (!own) return users(ofUsers)
      // What an installation has as its own wins, also when it is of another kind.
      const { rows } = data
      const inherited = subtract(ofInstallations(data, { of: 'users', bits: ofUsers }, { rule }), own.find(rows))
      return installations(unite(inherited, findAttribute(own, rows, kind, test)))
    }
    case 'event':
      return findEvent(data, source.key, source.aggregate, rule)
  }
}

function findColumn(data: SegmentData, column: string, test: Test): Bitmap {
  const { rows } = data
  if (column === 'launch_count') return data.launchCounts.find(rows, wholeRanges(test))
  if (column in data.times) return data.times[column as TimeColumn].find(rows, wholeRanges(test))
  if (!(column in data.texts)) throw new NotKept(`${column} is not kept.`)
  const texts = data.texts[column as TextColumn]
  if (!texts.isKept) throw new NotKept(`${column} has too many different values.`)
  return texts.find(rows, textTest(test))
}

function findChannels({ subscriptions, rows }: SegmentData, asked: Scalar[]): Bitmap {
  if (!subscriptions.isKept) throw new NotKept('There are too many different lists of channels.')
  return subscriptions.find(rows, listTest({ in: asked }))
}

function findTags({ tags, rows }: SegmentData, test: Test): Bitmap {
  const names = 'in' in test ? test.in.map(String) : [...tags.keys()]
  const found = createBitmap(rows)
  for (const name of names) {
    const facts = tags.get(name)
    if (facts) unite(found, facts.find(rows))
  }
  return found
}

function findAttribute(
  facts: AttributeFacts | undefined,
  rows: number,
  kind: NonNullable<Field['kind']>,
  test: Test,
): Bitmap {
  if (!facts) return createBitmap(rows)
  if (kind === 'text') return facts.findTexts(rows, textTest(test))
  if (kind === 'list') return facts.findLists(rows, listTest(test))
  return facts.findNumbers(rows, kind, numberRanges(test))
}

/** The count of what never happened is 0 [segments.md#rules]. */
function findEvent(data: SegmentData, key: string, aggregate: Aggregate, { test, isNegated }: FittedRule): Found {
  if (aggregate === 'count' && 'exists' in test) return constant(data, !isNegated)
  const { rows } = data
  const counters = data.counters.get(key)
  const found = counters?.find(rows, aggregate, test) ?? createBitmap(rows)
  if (aggregate === 'count' && passes(test, 0)) {
    unite(found, invert(counters?.find(rows, 'count', { exists: true }) ?? createBitmap(rows)))
  }
  return { of: 'installations', bits: isNegated ? invert(found) : found }
}

function textTest(test: Test): (text: string) => boolean {
  if ('exists' in test) return () => true
  if ('in' in test) {
    const asked = new Set(test.in.map(String))
    return (text) => asked.has(text)
  }
  return (text) => isWithin(text, test)
}

/** Versions have keys of ASCII, which compare here as in PostgreSQL. */
function isWithin(text: string, { from, to }: Range): boolean {
  if (from && !(from.isInclusive ? text >= String(from.value) : text > String(from.value))) return false
  return !(to && !(to.isInclusive ? text <= String(to.value) : text < String(to.value)))
}

function listTest(test: Test): (list: readonly string[]) => boolean {
  if (!('in' in test)) return () => true
  const asked = new Set(test.in.map(String))
  return (list) => list.some((text) => asked.has(text))
}
