import type { ValueKind } from '../installations/attributes/value-kind.ts'

/** What a name's values are. The first five are those an attribute can have. */
export type Kind = ValueKind | 'time' | 'version' | 'tags' | 'channel'

const comparisons = ['equal_to', 'not_equal', 'lesser_than', 'lesser_equals', 'greater_than', 'greater_equals'] as const
const lists = ['include', 'not_include'] as const
const moments = ['before', 'after'] as const
const contains = ['equal_to', 'not_equal', ...lists] as const

/** [interface.md#24-segments] */
export const ruleOperators = [...comparisons, ...lists, ...moments] as const
export type RuleOperator = (typeof ruleOperators)[number]

/** [segments.md#rules] */
export const operatorsOfKind: Record<Kind, readonly RuleOperator[]> = {
  time: [...moments, ...comparisons],
  date: [...moments, ...comparisons, ...lists],
  number: [...comparisons, ...lists],
  version: [...comparisons, ...lists],
  text: contains,
  boolean: contains,
  list: contains,
  tags: contains,
  channel: contains,
}

export const aggregates = ['count', 'first', 'last', 'sum', 'avg', 'min', 'max', 'lastValue'] as const
export type Aggregate = (typeof aggregates)[number]

/** Where a name's values are kept. */
export type Source =
  | { from: 'column'; column: string; type: 'timestamptz' | 'bigint' | 'text' | 'uuid'; isNullable?: boolean }
  | { from: 'channels' }
  | { from: 'user' }
  | { from: 'tags' }
  | { from: 'value-tag'; key: string }
  | { from: 'attribute'; name: string }
  | { from: 'event'; key: string; aggregate: Aggregate }

export interface Field {
  name: string
  /** Undefined for an attribute: its kind is that of its first use. */
  kind: Kind | undefined
  source: Source
}

interface Row {
  kind: Kind
  source: Source
  /** Not a segment name, but one that filters know [segments.md#target-and-segment]. */
  onlyInTarget?: true
}

const installed: Row = { kind: 'time', source: { from: 'column', column: 'installed_at', type: 'timestamptz' } }

const table: Record<string, Row> = {
  installDate: installed,
  launchTime: { kind: 'time', source: { from: 'column', column: 'launched_at', type: 'timestamptz' } },
  launchCount: { kind: 'number', source: { from: 'column', column: 'launch_count', type: 'bigint' } },
  tags: { kind: 'tags', source: { from: 'tags' } },
  deviceType: { kind: 'text', source: { from: 'column', column: 'device_type', type: 'text' } },
  clientVersion: {
    kind: 'version',
    source: { from: 'column', column: 'client_version_key', type: 'text', isNullable: true },
  },
  osVersion: { kind: 'version', source: { from: 'column', column: 'os_version_key', type: 'text', isNullable: true } },
  userId: { kind: 'text', source: { from: 'user' } },
  channel: { kind: 'channel', source: { from: 'channels' } },
  language: { kind: 'text', source: { from: 'column', column: 'language', type: 'text', isNullable: true } },
  timeZone: { kind: 'text', source: { from: 'column', column: 'time_zone', type: 'text', isNullable: true } },
  created: { ...installed, onlyInTarget: true },
  id: { kind: 'text', source: { from: 'column', column: 'id', type: 'uuid' }, onlyInTarget: true },
}

const families = ['tags.<key>', 'attributes.<name>', `<event>.${aggregates.join('|')}`]

export type RuleForm = 'segment' | 'target'

/** Every name that a rule (or a filter) may test, as a person reads them. */
export function listNames(form: RuleForm): string[] {
  const names = Object.keys(table).filter((name) => form === 'target' || !table[name]?.onlyInTarget)
  return [...names, ...families]
}

/** The names that are the same in every app, with their kinds. */
export function listFixedFields(): { name: string; kind: Kind }[] {
  return Object.entries(table).flatMap(([name, { kind, onlyInTarget }]) => (onlyInTarget ? [] : [{ name, kind }]))
}

export function kindOfAggregate(aggregate: Aggregate): Kind {
  return aggregate === 'first' || aggregate === 'last' ? 'time' : 'number'
}

export function findField(name: string, form: RuleForm): Field | undefined {
  const row = Object.hasOwn(table, name) ? table[name] : undefined
  if (row) return row.onlyInTarget && form === 'segment' ? undefined : { name, kind: row.kind, source: row.source }
  const dot = name.indexOf('.')
  if (dot < 1 || dot === name.length - 1) return undefined
  const rest = name.slice(dot + 1)
  if (name.startsWith('tags.')) return { name, kind: 'text', source: { from: 'value-tag', key: rest } }
  if (name.startsWith('attributes.')) return { name, kind: undefined, source: { from: 'attribute', name: rest } }
  return findEventField(name)
}

/** An event's name may hold dots: what follows the last one is the aggregate. */
function findEventField(name: string): Field | undefined {
  const lastDot = name.lastIndexOf('.')
  const aggregate = aggregates.find((word) => word === name.slice(lastDot + 1))
  if (!aggregate) return undefined
  return {
    name,
    kind: kindOfAggregate(aggregate),
    source: { from: 'event', key: name.slice(0, lastDot).toLowerCase(), aggregate },
  }
}
