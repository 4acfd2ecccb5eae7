import type { SegmentFields } from '@peyk/contract'

/** What a rule's name is of. */
export type FieldName =
  | { of: 'fixed'; name: string }
  | { of: 'tag'; key: string }
  | { of: 'attribute'; name: string }
  | { of: 'event'; event: string; aggregate: string }

/** As the service reads names: fixed ones, `tags.<key>`, `attributes.<name>`, and else `<event>.<aggregate>`. */
export function readFieldName(name: string, fields: SegmentFields): FieldName {
  if (fields.fields.some((field) => field.name === name)) return { of: 'fixed', name }
  if (name.startsWith('tags.')) return { of: 'tag', key: name.slice(5) }
  if (name.startsWith('attributes.')) return { of: 'attribute', name: name.slice(11) }
  const dot = name.lastIndexOf('.')
  if (dot < 1) return { of: 'fixed', name }
  return { of: 'event', event: name.slice(0, dot), aggregate: name.slice(dot + 1) }
}

export function writeFieldName(field: FieldName): string {
  if (field.of === 'tag') return `tags.${field.key}`
  if (field.of === 'attribute') return `attributes.${field.name}`
  if (field.of === 'event') return `${field.event}.${field.aggregate}`
  return field.name
}

/** `any` for an attribute that nobody has yet: whatever its values will be. */
export function kindOfName(name: string, fields: SegmentFields): string {
  const field = readFieldName(name, fields)
  if (field.of === 'tag') return 'text'
  const known = { fixed: fields.fields, attribute: fields.attributes, event: fields.aggregates }[field.of]
  const wanted = field.of === 'event' ? field.aggregate : field.name
  return known.find(({ name }) => name === wanted)?.kind ?? 'any'
}

export function operatorsOfKind(kind: string, fields: SegmentFields): readonly string[] {
  return fields.operators[kind === 'any' ? 'number' : kind] ?? []
}
