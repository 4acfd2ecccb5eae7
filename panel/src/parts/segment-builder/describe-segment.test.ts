import type { SegmentFields } from '@peyk/contract'
import { describe, expect, it } from 'vitest'
import { en } from '../../texts/en.ts'
import { fa } from '../../texts/fa.ts'
import { createFormat } from '../../texts/format.ts'
import { describeOwn, describeSegment, type Words } from './describe-segment.ts'
import { readDraft } from './segment-draft.ts'

const comparisons = ['equal_to', 'not_equal', 'lesser_than', 'lesser_equals', 'greater_than', 'greater_equals']
const fields: SegmentFields = {
  fields: [
    { name: 'installDate', kind: 'time' },
    { name: 'launchTime', kind: 'time' },
    { name: 'launchCount', kind: 'number' },
    { name: 'tags', kind: 'tags' },
    { name: 'deviceType', kind: 'text' },
    { name: 'clientVersion', kind: 'version' },
  ],
  aggregates: [
    { name: 'count', kind: 'number' },
    { name: 'last', kind: 'time' },
  ],
  operators: { number: comparisons },
  attributes: [{ name: 'isPro', kind: 'boolean' }],
  tagKeys: ['city'],
  events: ['purchase', 'AddToCart'],
}
const english: Words = { texts: en.segments, platforms: en.common.platforms, format: createFormat('en'), fields }
const persian: Words = { texts: fa.segments, platforms: fa.common.platforms, format: createFormat('fa'), fields }
const rule = (name: string, operator: string, value: unknown) => ({ name, operator, value })
const say = (segment: unknown, words = english) => describeSegment(readDraft(segment) as never, words)

describe('a segment in words', () => {
  it.each([
    ['Everybody', {}],
    ['Android devices', { all: [rule('deviceType', 'equal_to', 'android')] }],
    [
      'Android devices that installed in the last 6 hours',
      { all: [rule('deviceType', 'equal_to', 'android'), rule('installDate', 'after', '6h')] },
    ],
    [
      'Devices on Android or whose user has the tag “vip”',
      { any: [rule('deviceType', 'equal_to', 'android'), rule('tags', 'include', ['vip'])] },
    ],
    ['Devices that have not visited for 7 days', { all: [rule('launchTime', 'before', '168h')] }],
    ['Devices whose app version is older than 2.4', { all: [rule('clientVersion', 'lesser_than', '2.4')] }],
    ['Devices whose number of purchase events is more than 2', { all: [rule('purchase.count', 'greater_than', 2)] }],
    ['Devices whose last “AddToCart” is in the last 2 days', { all: [rule('AddToCart.last', 'after', '48h')] }],
    ['Devices whose tag “city” is one of “a”, “b”', { all: [rule('tags.city', 'include', ['a', 'b'])] }],
    ['Devices whose attribute “isPro” is true', { all: [rule('attributes.isPro', 'equal_to', true)] }],
    ['Devices whose number of visits is more than …', { all: [rule('launchCount', 'greater_than', undefined)] }],
    [
      'Devices whose number of visits is 3 and (whose user has the tag “a” or whose user has the tag “b”)',
      {
        all: [
          rule('launchCount', 'equal_to', 3),
          { any: [rule('tags', 'equal_to', 'a'), rule('tags', 'equal_to', 'b')] },
        ],
      },
    ],
  ])('is "%s"', (sentence, segment) => {
    expect(say(segment)).toBe(sentence)
  })

  it('is Persian for those who read Persian', () => {
    const segment = { all: [rule('deviceType', 'equal_to', 'android'), rule('installDate', 'after', '6h')] }
    expect(say(segment, persian)).toBe('دستگاه‌های اندروید که برنامه در ۶ ساعت گذشته روی آن‌ها نصب شده')
  })
})

it.each([
  ['tags', '["vip","beta"]', '“vip”, “beta”'],
  ['tags', '[]', undefined],
  ['launchCount', '1200', '1,200'],
  ['deviceType', '"ios"', 'iOS'],
  ['attributes.isPro', 'true', 'true'],
  ['tags.city', null, undefined],
  ['tags.city', '"Ber…', '"Ber…'],
])('a device that has under %s the JSON %s has "%s"', (name, json, expected) => {
  expect(describeOwn(name, json, english)).toBe(expected)
})
