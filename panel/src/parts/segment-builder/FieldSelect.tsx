import { Select } from '@mantine/core'
import type { SegmentFields } from '@peyk/contract'
import { memo } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useFreshSearch } from '../fields/use-fresh-search.ts'
import { fieldLabel } from './describe-segment.ts'
import { readFieldName, writeFieldName } from './field-names.ts'

const fixedGroups = {
  visits: ['installDate', 'launchTime', 'launchCount'],
  device: ['deviceType', 'clientVersion', 'osVersion', 'language', 'timeZone'],
  user: ['tags', 'userId', 'channel'],
} as const

interface FieldSelectProps {
  name: string
  fields: SegmentFields
  onChange(name: string): void
  /** Its list is open at once. */
  isAdded: boolean
}

/** Chooses what a rule asks for. An event is chosen here, what of it beside it. */
export const FieldSelect = memo(function FieldSelect({ name, fields, onChange, isAdded }: FieldSelectProps) {
  const { segments: texts } = useTexts()
  const chosen = readFieldName(name, fields)
  const aggregate = chosen.of === 'event' ? chosen.aggregate : 'count'
  const tag = (key: string) => ({ value: writeFieldName({ of: 'tag', key }), label: texts.tagValue(key) })
  const attribute = (of: string) => ({
    value: writeFieldName({ of: 'attribute', name: of }),
    label: texts.attribute(of),
  })
  const event = (of: string) => ({
    value: writeFieldName({ of: 'event', event: of, aggregate }),
    label: of === 'purchase' ? texts.anyPurchase : texts.event(of),
  })
  const listed = [
    ...Object.entries(fixedGroups).map(([group, names]) => ({
      group: texts.groups[group as keyof typeof fixedGroups],
      items: names.map((field) => ({ value: field as string, label: texts.fields[field] })),
    })),
    { group: texts.groups.tags, items: fields.tagKeys.map(tag) },
    { group: texts.groups.attributes, items: fields.attributes.map((field) => attribute(field.name)) },
    { group: texts.groups.events, items: fields.events.map(event) },
  ]
  const known = new Map(listed.flatMap(({ items }) => items.map(({ value, label }) => [value, label])))
  const shown =
    known.get(name) ?? (chosen.of === 'event' ? event(chosen.event).label : fieldLabel(name, { texts, fields }))
  const { typed, props } = useFreshSearch(shown)
  const others = [
    ...(known.has(name) ? [] : [{ value: name, label: shown }]),
    ...(typed === '' ? [] : [attribute(typed), tag(typed), event(typed)]),
  ].filter(({ value }, index, all) => !known.has(value) && all.findIndex((other) => other.value === value) === index)
  return (
    <Select
      aria-label={texts.what}
      data={[...listed, { group: texts.groups.other, items: others }].filter(({ items }) => items.length > 0)}
      value={name}
      onChange={(value) => value !== null && onChange(value)}
      {...props}
      autoFocus={isAdded}
      limit={80}
      allowDeselect={false}
      maxDropdownHeight={340}
      nothingFoundMessage={texts.nothing}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
    />
  )
})
