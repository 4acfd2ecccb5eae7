/**
 * The choices' text on segments, written down a second time in plain TypeScript: what SQL finds is compared with it.
 * It reads what callers send and shares no code with the readers and the compiler.
 */
export type AttributeValue = number | string | boolean | Date | string[]

export interface Person {
  no: number
  userId: string
  tags: Map<string, string | null>
  attributes: Map<string, AttributeValue>
}

export interface Counter {
  count: number
  firstAt: number
  lastAt: number
  values: number[]
}

export interface Device {
  no: number
  id: string
  person: Person
  installedAt: number
  launchedAt: number
  createdAt: number
  isUninstalled: boolean
  launchCount: number
  deviceType: string
  clientVersion: string | null
  osVersion: string | null
  language: string | null
  timeZone: string | null
  channels: string[]
  attributes: Map<string, AttributeValue>
  counters: Map<string, Counter>
}

export type AttributeKinds = Map<string, 'number' | 'text' | 'boolean' | 'date' | 'list'>

export interface SentRule {
  name: string
  operator: string
  value: unknown
}
export type SentSegment = { all?: (SentRule | SentSegment)[]; any?: (SentRule | SentSegment)[] }

export interface World {
  devices: Device[]
  kinds: AttributeKinds
  at: number
}

const hour = 3_600_000

export function evaluateSegment(segment: SentRule | SentSegment, device: Device, world: World): boolean {
  if ('name' in segment) return evaluateRule(segment.name, segment.operator, segment.value, device, world)
  const all = (segment.all ?? []).every((part) => evaluateSegment(part, device, world))
  return all && (!segment.any || segment.any.some((part) => evaluateSegment(part, device, world)))
}

const words: Record<string, string> = {
  neq: 'not_equal',
  inq: 'include',
  nin: 'not_include',
  lt: 'lesser_than',
  lte: 'lesser_equals',
  gt: 'greater_than',
  gte: 'greater_equals',
}

export type SentTarget = Record<string, unknown>

export function evaluateTarget(target: SentTarget, device: Device, world: World): boolean {
  return Object.entries(target).every(([name, value]) => {
    if (name === 'and') return (value as SentTarget[]).every((part) => evaluateTarget(part, device, world))
    if (name === 'or') return (value as SentTarget[]).some((part) => evaluateTarget(part, device, world))
    if (typeof value !== 'object') return evaluateRule(name, 'equal_to', value, device, world)
    return Object.entries(value as object).every(([word, operand]) => {
      if (word === 'exists') return isPresent(name, device, world) === operand
      if (word !== 'between') return evaluateRule(name, words[word] as string, operand, device, world)
      const [low, high] = operand as [unknown, unknown]
      const isAbove = evaluateRule(name, 'greater_equals', low, device, world)
      return isAbove && evaluateRule(name, 'lesser_equals', high, device, world)
    })
  })
}

/** Uninstalled devices are in no segment. */
export function isCounted(device: Device): boolean {
  return !device.isUninstalled
}

function evaluateRule(name: string, operator: string, value: unknown, device: Device, world: World): boolean {
  const held = valuesOf(name, device, world)
  const asked = Array.isArray(value) ? value : [value]
  const order = (one: Value) => compare(one, read(one, asked[0], name, world.at))
  switch (operator) {
    case 'equal_to':
    case 'include':
      return held.some((one) => asked.some((other) => compare(one, read(one, other, name, world.at)) === 0))
    case 'not_equal':
      return !evaluateRule(name, 'equal_to', value, device, world)
    case 'not_include':
      return !evaluateRule(name, 'include', value, device, world)
    case 'lesser_than':
    case 'before':
      return held.some((one) => order(one) < 0)
    case 'lesser_equals':
      return held.some((one) => order(one) <= 0)
    case 'greater_than':
    case 'after':
      return held.some((one) => order(one) > 0)
    case 'greater_equals':
      return held.some((one) => order(one) >= 0)
    default:
      throw new Error(`The evaluator does not know ${operator}.`)
  }
}

type Value = number | string | boolean | Moment | Version

class Moment {
  readonly ms: number
  constructor(ms: number) {
    this.ms = Math.floor(ms)
  }
}

class Version {
  readonly parts: number[]
  constructor(text: string) {
    this.parts = text.split('.').map(Number)
  }
}

/** What an installation has under a name: nothing, one value, or several. */
function valuesOf(name: string, device: Device, { kinds }: World): Value[] {
  switch (name) {
    case 'id':
      return [device.id]
    case 'userId':
      return [device.person.userId]
    case 'installDate':
    case 'created':
      return [new Moment(device.installedAt)]
    case 'launchTime':
      return [new Moment(device.launchedAt)]
    case 'launchCount':
      return [device.launchCount]
    case 'tags':
      return [...device.person.tags.keys()]
    case 'deviceType':
      return [device.deviceType]
    case 'clientVersion':
      return versions(device.clientVersion)
    case 'osVersion':
      return versions(device.osVersion)
    case 'language':
      return device.language === null ? [] : [device.language]
    case 'timeZone':
      return device.timeZone === null ? [] : [device.timeZone]
    case 'channel':
      return ['public/default', ...device.channels]
  }
  if (name.startsWith('tags.')) {
    const value = device.person.tags.get(name.slice(5))
    return value === null || value === undefined ? [] : [value]
  }
  if (name.startsWith('attributes.')) return attributeValues(name.slice(11), device, kinds)
  const dot = name.lastIndexOf('.')
  return counterValues(device.counters.get(name.slice(0, dot).toLowerCase()), name.slice(dot + 1))
}

function isPresent(name: string, device: Device, world: World): boolean {
  if (valuesOf(name, device, world).length > 0) return true
  // An empty list is there, though it contains nothing.
  const attribute = name.replace(/^attributes\./, '')
  const value = device.attributes.get(attribute) ?? device.person.attributes.get(attribute)
  return Array.isArray(value) && world.kinds.get(attribute) === 'list'
}

function versions(text: string | null): Version[] {
  return text !== null && /^\d+(\.\d+)*$/.test(text) ? [new Version(text)] : []
}

function attributeValues(name: string, device: Device, kinds: AttributeKinds): Value[] {
  const value = device.attributes.has(name) ? device.attributes.get(name) : device.person.attributes.get(name)
  if (value === undefined || kindOf(value) !== kinds.get(name)) return []
  if (Array.isArray(value)) return value
  return [value instanceof Date ? new Moment(value.getTime()) : value]
}

export function kindOf(value: AttributeValue): 'number' | 'text' | 'boolean' | 'date' | 'list' {
  if (Array.isArray(value)) return 'list'
  if (value instanceof Date) return 'date'
  return typeof value === 'string' ? 'text' : (typeof value as 'number' | 'boolean')
}

function counterValues(counter: Counter | undefined, aggregate: string): Value[] {
  if (aggregate === 'count') return [counter?.count ?? 0]
  if (!counter) return []
  if (aggregate === 'first') return [new Moment(counter.firstAt)]
  if (aggregate === 'last') return [new Moment(counter.lastAt)]
  const { values } = counter
  if (values.length === 0) return []
  const sum = values.reduce((total, value) => total + value, 0)
  if (aggregate === 'sum') return [sum]
  if (aggregate === 'avg') return [sum / values.length]
  if (aggregate === 'min') return [Math.min(...values)]
  if (aggregate === 'max') return [Math.max(...values)]
  return [values.at(-1) as number]
}

/** What was asked for, as a value of the same sort as the one that is held. */
function read(held: Value, asked: unknown, name: string, at: number): Value {
  if (held instanceof Moment) return readMoment(asked, at)
  if (held instanceof Version) return new Version(String(asked))
  if (typeof held === 'number') return Number(asked)
  if (typeof held === 'boolean') return asked === true || asked === 'true'
  if (name !== 'channel') return String(asked)
  const path = String(asked).replace(/^\//, '')
  if (path.startsWith('private/')) return path.slice('private/'.length)
  return path === '' ? 'public/default' : `public/${path.replace(/^public\//, '')}`
}

function readMoment(asked: unknown, at: number): Moment {
  const text = String(asked)
  if (text.endsWith('h')) return new Moment(at - Number(text.slice(0, -1)) * hour)
  return new Moment(/^\d+$/.test(text) ? Number(text) : new Date(text).getTime())
}

function compare(left: Value, right: Value): number {
  if (left instanceof Moment && right instanceof Moment) return left.ms - right.ms
  if (left instanceof Version && right instanceof Version) {
    for (let part = 0; part < Math.max(left.parts.length, right.parts.length); part++) {
      const difference = (left.parts[part] ?? 0) - (right.parts[part] ?? 0)
      if (difference !== 0) return difference
    }
    return 0
  }
  return left === right ? 0 : left < right ? -1 : 1
}
