import type { SegmentFields } from '@peyk/contract'
import type { Texts } from '../../texts/en.ts'
import type { Format } from '../../texts/format.ts'
import { choiceOf, isAgo } from './choices.ts'
import { kindOfName, readFieldName } from './field-names.ts'
import { readHours } from './hours.ts'
import { type GroupDraft, isGroup, type PartDraft, type RuleDraft } from './segment-draft.ts'

export interface Words {
  texts: Texts['segments']
  platforms: Texts['common']['platforms']
  format: Format
  fields: SegmentFields
}

/** A segment in one sentence: "Android devices that installed in the last 6 hours". */
export function describeSegment(group: GroupDraft, words: Words): string {
  const { texts } = words
  if (group.parts.length === 0) return texts.sentence.everybody
  const platform = group.mode === 'all' ? group.parts.find(isPlatform) : undefined
  const others = group.parts.filter((part) => part !== platform)
  const subject = platform ? texts.sentence.devicesOf(showValue(platform, words)) : texts.sentence.devices
  if (others.length === 0) return subject
  return texts.sentence.who(subject, joinPhrases(others, group.mode, words))
}

/** What one rule, or a group of them, asks for: "installed in the last 6 hours". */
export function describePart(part: PartDraft, words: Words): string {
  if (!isGroup(part)) return describeRule(part, words)
  const phrases = joinPhrases(part.parts, part.mode, words)
  return part.parts.length > 1 ? `(${phrases})` : phrases
}

function joinPhrases(parts: readonly PartDraft[], mode: GroupDraft['mode'], words: Words): string {
  const { and, or } = words.texts.sentence
  return parts.map((part) => describePart(part, words)).join(` ${mode === 'all' ? and : or} `)
}

function isPlatform(part: PartDraft): part is RuleDraft {
  return !isGroup(part) && part.name === 'deviceType' && part.operator === 'equal_to' && typeof part.value === 'string'
}

function describeRule(rule: RuleDraft, words: Words): string {
  const { sentence } = words.texts
  const value = showValue(rule, words)
  const { operator, form } = choiceOf(kindOfName(rule.name, words.fields), rule.operator, rule.value)
  const own = sentence.rules[rule.name as keyof typeof sentence.rules] as
    | Record<string, (value: string) => string>
    | undefined
  // One of a list of one is that one.
  const isAlone = Array.isArray(rule.value) && rule.value.length === 1
  const plain = isAlone ? ({ include: 'equal_to', not_include: 'not_equal' }[operator] ?? operator) : operator
  const said = own?.[form === 'ago' ? `${operator}Ago` : plain]
  if (said) return said(value)
  const alone = isAlone ? { ...rule, operator: plain, value: (rule.value as unknown[])[0] } : rule
  return sentence.rule(fieldLabel(rule.name, words), choiceLabel(alone, words), value)
}

/** The name of a rule for people. */
export function fieldLabel(name: string, { texts, fields }: Omit<Words, 'format' | 'platforms'>): string {
  const field = readFieldName(name, fields)
  if (field.of === 'tag') return texts.tagValue(field.key)
  if (field.of === 'attribute') return texts.attribute(field.name)
  if (field.of === 'event') {
    const event = field.event.toLowerCase() === 'purchase' ? texts.purchase : texts.sentence.quoted(field.event)
    return texts.ofEvent[field.aggregate as keyof typeof texts.ofEvent]?.(event) ?? name
  }
  return texts.fields[field.name as keyof typeof texts.fields] ?? name
}

export function choiceLabel(rule: RuleDraft, { texts, fields }: Omit<Words, 'format' | 'platforms'>): string {
  const kind = kindOfName(rule.name, fields)
  return labelOfChoice(kind, choiceOf(kind, rule.operator, rule.value), texts)
}

export function labelOfChoice(
  kind: string,
  { operator, form }: ReturnType<typeof choiceOf>,
  texts: Texts['segments'],
): string {
  const of = texts.operators as Record<string, Record<string, string>>
  const named = form === 'ago' ? of.ago?.[operator] : undefined
  return named ?? of[kind]?.[operator] ?? of.usual?.[operator] ?? operator
}

/** What a device has under the name of a rule, given as JSON; undefined when it has nothing. */
export function describeOwn(name: string, json: string | null, words: Words): string | undefined {
  if (json === null) return undefined
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    // The service cuts what is long.
    return json
  }
  if (value === null || (Array.isArray(value) && value.length === 0)) return undefined
  return showValue({ key: name, name, operator: 'equal_to', value }, words)
}

function showValue(rule: RuleDraft, words: Words): string {
  const { value } = rule
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return '…'
  if (Array.isArray(value)) return value.map((item) => showOne(item, rule, words)).join(words.texts.sentence.comma)
  return showOne(value, rule, words)
}

function showOne(value: unknown, rule: RuleDraft, { texts, platforms, format, fields }: Words): string {
  const kind = kindOfName(rule.name, fields)
  if (kind === 'time' || kind === 'date') return showTime(value, texts, format)
  if (kind === 'boolean') return texts.booleans[String(value) === 'true' || value === 1 ? 'true' : 'false']
  if (kind === 'number' && Number.isFinite(Number(value))) return format.number(Number(value))
  if (kind === 'version') return String(value)
  if (rule.name === 'deviceType') return platforms[value as keyof typeof platforms] ?? String(value)
  return texts.sentence.quoted(String(value))
}

function showTime(value: unknown, texts: Texts['segments'], format: Format): string {
  const hours = isAgo(value) ? readHours(value) : undefined
  if (hours) return texts.sentence.span(hours.amount, hours.unit, format.number(hours.amount))
  const time = typeof value === 'number' ? value : Date.parse(String(value))
  return Number.isNaN(time) ? String(value) : format.moment(time)
}
