import {
  aggregates,
  findField,
  type Kind,
  operatorsOfKind,
  type RuleOperator,
  ruleOperators,
} from '@peyk/server/features/segments/fields.ts'
import { targetOperators } from '@peyk/server/features/segments/read/target-operators.ts'
import type { Chance } from './chance.ts'
import { askApi, askPanel, type MakeRequest } from './fuzzed-request.ts'
import { mutateValue } from './mutate.ts'
import { nastyNumbers, nastyTexts } from './nasty.ts'
import type { World } from './world.ts'

const plainNames = [
  ...['installDate', 'launchTime', 'launchCount', 'tags', 'deviceType', 'clientVersion', 'osVersion', 'userId'],
  ...['channel', 'language', 'timeZone', 'created', 'id', 'tags.city', 'attributes.from', 'attributes.list'],
  ...['attributes.firstName', 'attributes.when', 'attributes.none'],
]
const oddNames = ['tags.', 'attributes.__proto__', '.count', '__proto__', 'attributes.', 'opened.median', 'Tags']
const eventNames = ['opened', 'purchase', 'Opened', 'V1.2 seen', 'never', '__proto__', '%', "'"]
const moments = ['6h', '0h', '0.5h', '1e9h', '-1h', '2026-01-01T00:00:00Z', '2026-01-01', 1_794_700_800_000]
const valuesOfKind: Record<Kind, readonly unknown[]> = {
  time: moments,
  date: moments,
  number: [0, 1, 2.5, -3, '7', ...nastyNumbers],
  version: ['1.2.3', '1.2-beta', '1..2', '3', 1, '0'.repeat(50)],
  text: ['android', 'ios', 'fa', 'Asia/Tehran', 'Sara', ''],
  boolean: [true, false, 'true', 1],
  list: ['item 1', 'item 2', 'none'],
  tags: ['vip', 'city', '%', '_'],
  channel: ['public/news', 'news', '/private/x', 'default', ''],
}

/** Rules and where-filters, as they are and spoilt, wherever the service takes them. */
export const makeSegmentRequest: MakeRequest = (chance, world, number) => {
  const isTarget = chance.is(0.4)
  const made = isTarget ? makeTarget(chance, world, 4) : makeTree(chance, world, 4)
  const tree = chance.is(0.25) ? mutateValue(chance, made) : made
  const audience = isTarget ? { target: tree } : { segment: tree }
  const { app } = world
  switch (chance.int(8)) {
    case 0:
    case 1:
      return askApi(app, 'POST', '/api/segments/count', chance.is(0.1) ? tree : audience)
    case 2:
      return askApi(app, 'POST', '/api/push/byQuery?dryRun=true', { ...audience, content: 'x', ...channelOf(chance) })
    case 3:
      return askPanel(world, app, 'POST', '/segments/count', audience)
    case 4:
      return askPanel(world, app, 'POST', '/segments/sample', audience)
    case 5:
      return askPanel(world, app, 'POST', '/send/count', { product: 'message', ...audience, ...channelOf(chance) })
    case 6:
      return chance.is(0.2)
        ? askApi(app, 'POST', '/api/segments', { name: `fuzzed ${number % 200}`, segment: tree })
        : askApi(app, 'PUT', `/api/segments/${world.segmentId}`, { name: 'fuzzed', segment: tree })
    default:
      return askApi(app, 'GET', `/api/installations?filter=${encodeURIComponent(filterOf(chance, tree))}`)
  }
}

function filterOf(chance: Chance, tree: unknown): string {
  const text = (JSON.stringify({ where: tree }) ?? '').toWellFormed()
  return chance.is(0.2) ? text.slice(0, chance.int(text.length)) : text.slice(0, 6_000)
}

const channelOf = (chance: Chance) =>
  chance.is(0.3) ? { channel: chance.pick(['news', '/private/x', '', '//', 'x']) } : {}

function makeTree(chance: Chance, world: World, depth: number): unknown {
  const count = chance.is(0.01) ? 150 : 4
  const parts = () =>
    chance.list(chance.is(0.03) ? 0 : 1, count, () =>
      depth > 0 && chance.is(0.25) ? makeTree(chance, world, depth - 1) : makeRule(chance, world),
    )
  if (chance.is(0.45)) return { all: parts() }
  return chance.is(0.7) ? { any: parts() } : { all: parts(), any: parts() }
}

/** Mostly one that suits the field. */
function makeRule(chance: Chance, world: World): unknown {
  const name = makeName(chance)
  const kind = kindOf(name)
  const operator: RuleOperator = chance.pick(chance.is(0.93) ? operatorsOfKind[kind] : ruleOperators)
  return { name, operator, value: makeOperand(chance, world, kind, operator.endsWith('include')) }
}

const kindOf = (name: string): Kind => findField(name, 'target')?.kind ?? 'text'

function makeTarget(chance: Chance, world: World, depth: number): unknown {
  const entries = chance.list(0, 3, (): [string, unknown] => {
    if (depth > 0 && chance.is(0.3))
      return [chance.pick(['and', 'or']), chance.list(0, 3, () => makeTarget(chance, world, depth - 1))]
    const name = makeName(chance)
    return [name, makeTest(chance, world, kindOf(name))]
  })
  return Object.fromEntries(entries)
}

function makeTest(chance: Chance, world: World, kind: Kind): unknown {
  if (chance.is(0.3)) return makeOperand(chance, world, kind, false)
  const words = chance.is(0.95) ? [...targetOperators.keys()] : ['like', '$gt', 'regexp']
  return Object.fromEntries(
    chance.list(1, 2, () => {
      const word = chance.pick(words)
      if (word === 'exists') return [word, chance.is(0.5)]
      if (word === 'between') return [word, [makeOne(chance, world, kind), makeOne(chance, world, kind)]]
      return [word, makeOperand(chance, world, kind, word.endsWith('in') || word.endsWith('inq'))]
    }),
  )
}

function makeName(chance: Chance): string {
  if (chance.is(0.65)) return chance.pick(chance.is(0.95) ? plainNames : oddNames)
  return chance.is(0.95)
    ? `${chance.pick(eventNames)}.${chance.pick(aggregates)}`
    : chance.pick(nastyTexts).slice(0, 300)
}

function makeOperand(chance: Chance, world: World, kind: Kind, isList: boolean): unknown {
  if (isList !== chance.is(0.03)) return chance.list(1, chance.is(0.02) ? 400 : 3, () => makeOne(chance, world, kind))
  return makeOne(chance, world, kind)
}

function makeOne(chance: Chance, world: World, kind: Kind): unknown {
  if (kind === 'text' && chance.is(0.3))
    return chance.is(0.5) ? chance.pick(world.devices).id : chance.pick(world.devices).userId
  if (chance.is(0.96)) return chance.pick(valuesOfKind[kind])
  return chance.is(0.5) ? chance.pick(nastyNumbers) : chance.pick(nastyTexts).slice(0, 1_000)
}
