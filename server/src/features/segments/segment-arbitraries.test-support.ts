import fc from 'fast-check'
import type { SentRule, SentSegment, SentTarget, World } from './evaluate.test-support.ts'
import { vocabulary } from './world.test-support.ts'

const hour = 3_600_000
const comparisons = ['equal_to', 'not_equal', 'lesser_than', 'lesser_equals', 'greater_than', 'greater_equals']
const lists = ['include', 'not_include']
const contains = ['equal_to', 'not_equal', ...lists]

interface Sort {
  names: string[]
  operators: string[]
  value: fc.Arbitrary<unknown>
}

/** Which names take which operators and values: the table of segments.md#rules, once more. */
function sorts(world: World): Sort[] {
  const moments = fc.integer({ min: 0, max: 6 }).chain((hours) =>
    fc.integer({ min: -1, max: 1 }).chain((ms) => {
      const time = world.at - hours * hour + ms
      return fc.constantFrom<unknown>(`${hours}h`, `${hours}.5h`, time, String(time), new Date(time).toISOString())
    }),
  )
  const numbers = fc.constantFrom<unknown>(...vocabulary.numbers, '2', '2.5', 1.5, 100)
  const versions = fc.constantFrom<unknown>(...vocabulary.versions, 1, '1.9.0', '3')
  const one = (values: readonly string[]) => fc.constantFrom<unknown>(...values, 'something else')
  const channels = ['news', 'public/news', '/public/sport', 'private/orders', 'orders', 'default', '', '/private/none']
  const events = ['purchase', 'Opened', 'V1.2 seen', 'never']
  const aggregated = (...aggregates: string[]) =>
    events.flatMap((event) => aggregates.map((word) => `${event}.${word}`))
  const attributes = (...names: string[]) => names.map((name) => `attributes.${name}`)
  return [
    { names: ['installDate', 'launchTime'], operators: ['before', 'after', ...comparisons], value: moments },
    { names: aggregated('first', 'last'), operators: ['before', 'after', ...comparisons], value: moments },
    { names: attributes('bornAt'), operators: ['before', 'after', ...comparisons, ...lists], value: moments },
    { names: ['launchCount'], operators: [...comparisons, ...lists], value: numbers },
    { names: aggregated('count'), operators: [...comparisons, ...lists], value: numbers },
    {
      names: aggregated('sum', 'avg', 'min', 'max', 'lastValue'),
      operators: [...comparisons, ...lists],
      value: numbers,
    },
    { names: attributes('age', 'score'), operators: [...comparisons, ...lists], value: numbers },
    { names: ['clientVersion', 'osVersion'], operators: [...comparisons, ...lists], value: versions },
    { names: ['tags'], operators: contains, value: one(vocabulary.tags) },
    { names: ['tags.city', 'tags.plan', 'tags.none'], operators: contains, value: one(vocabulary.tagValues) },
    { names: ['deviceType'], operators: contains, value: one(vocabulary.deviceTypes) },
    { names: ['language'], operators: contains, value: one(vocabulary.languages) },
    { names: ['timeZone'], operators: contains, value: one(vocabulary.timeZones) },
    { names: ['channel'], operators: contains, value: fc.constantFrom<unknown>(...channels) },
    {
      names: ['userId'],
      operators: contains,
      value: fc.constantFrom<unknown>(...world.devices.slice(0, 40).map((device) => device.person.userId), 7),
    },
    { names: attributes('colour', 'theme'), operators: contains, value: one(vocabulary.texts) },
    { names: attributes('likes', 'pets'), operators: contains, value: one(vocabulary.texts) },
    { names: attributes('isPremium'), operators: contains, value: fc.constantFrom<unknown>(true, 'false') },
    { names: attributes('unknown'), operators: [...comparisons, ...lists], value: numbers },
  ]
}

export function anyRule(world: World): fc.Arbitrary<SentRule> {
  return fc.oneof(
    ...sorts(world).map(({ names, operators, value }) =>
      fc.constantFrom(...operators).chain((operator) =>
        fc.record({
          name: fc.constantFrom(...names),
          operator: fc.constant(operator),
          value: lists.includes(operator) ? fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 4 })) : value,
        }),
      ),
    ),
  )
}

export function anySegment(world: World): fc.Arbitrary<SentSegment> {
  const { segment } = fc.letrec<{ segment: SentSegment; part: SentRule | SentSegment }>((tie) => ({
    part: fc.oneof({ maxDepth: 3, withCrossShrink: true }, { weight: 3, arbitrary: anyRule(world) }, tie('segment')),
    segment: fc.oneof(
      fc.record({ all: fc.array(tie('part'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ any: fc.array(tie('part'), { minLength: 1, maxLength: 3 }) }),
      fc.record({
        all: fc.array(tie('part'), { minLength: 1, maxLength: 2 }),
        any: fc.array(tie('part'), { minLength: 1, maxLength: 2 }),
      }),
    ),
  }))
  return segment
}

const wordOf: Record<string, string> = {
  not_equal: 'neq',
  include: 'inq',
  not_include: 'nin',
  lesser_than: 'lt',
  lesser_equals: 'lte',
  greater_than: 'gt',
  greater_equals: 'gte',
}

export function anyTarget(world: World): fc.Arbitrary<SentTarget> {
  const entries = sorts(world)
    .flatMap((sort) => [sort, ...sort.names.filter((name) => name === 'installDate').map(() => created(sort))])
    .concat({
      names: ['id'],
      operators: contains,
      value: fc.constantFrom<unknown>(...world.devices.slice(0, 20).map((device) => device.id), 'no uuid'),
    })
    .map((sort) => fc.constantFrom(...sort.names).chain((name) => anyTest(sort).map((test) => ({ [name]: test }))))
  const entry: fc.Arbitrary<SentTarget> = fc.oneof(...entries)
  const merged = (parts: SentTarget[]): SentTarget => Object.assign({}, ...parts)
  const { filter } = fc.letrec<{ filter: SentTarget; part: SentTarget }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 3, arbitrary: entry },
      fc.record({ or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    ),
    filter: fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map(merged),
  }))
  return fc.oneof({ weight: 20, arbitrary: filter }, fc.constant({}))
}

function created(sort: Sort): Sort {
  return { ...sort, names: ['created'] }
}

function anyTest({ operators, value }: Sort): fc.Arbitrary<unknown> {
  const tests: fc.Arbitrary<unknown>[] = [value, fc.record({ exists: fc.boolean() })]
  for (const operator of operators) {
    const word = wordOf[operator]
    if (word === undefined) continue
    const operand = lists.includes(operator) ? fc.array(value, { minLength: 1, maxLength: 4 }) : value
    tests.push(fc.record({ [word]: operand }))
  }
  if (operators.includes('lesser_than')) {
    tests.push(fc.record({ between: fc.tuple(value, value) }), fc.record({ gte: value, lt: value }))
  }
  return fc.oneof(...tests)
}
