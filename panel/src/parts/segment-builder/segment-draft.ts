import type { ValueForm } from './choices.ts'

/** A segment while it is edited. Keys are the builder's own, so that a row stays itself when others go. */
export interface RuleDraft {
  key: string
  name: string
  operator: string
  /** How the value is being typed, once that was chosen. */
  form?: ValueForm
  /** Undefined until something is typed. */
  value: unknown
}

export interface GroupDraft {
  key: string
  mode: 'all' | 'any'
  parts: PartDraft[]
}

export type PartDraft = RuleDraft | GroupDraft

/** A segment as it goes over the wire. */
export type SegmentValue = Record<string, unknown>

export const maxDepth = 8

let keys = 0
const newKey = () => `part-${++keys}`

export function isGroup(part: PartDraft): part is GroupDraft {
  return 'parts' in part
}

export function newRule(name: string, operator: string): RuleDraft {
  return { key: newKey(), name, operator, value: undefined }
}

/** What somebody begins with: one rule, whose value is missing yet. */
export function firstRule(): RuleDraft {
  return newRule('deviceType', 'equal_to')
}

export function newGroup(mode: GroupDraft['mode'], parts: PartDraft[] = []): GroupDraft {
  return { key: newKey(), mode, parts }
}

/** Undefined for what the builder cannot draw: no rules under `all` and `any`. Nothing at all is an empty group. */
export function readDraft(value: unknown): GroupDraft | undefined {
  if (value === undefined || value === null) return newGroup('all')
  if (!isObject(value)) return undefined
  if (Object.keys(value).length === 0) return newGroup('all')
  return readGroup(value)
}

/** One part of a segment as it was sent: a rule, or a group of them. */
export function readSentPart(sent: unknown): GroupDraft | undefined {
  return readDraft(isObject(sent) && 'name' in sent ? { all: [sent] } : sent)
}

function readGroup(value: Record<string, unknown>): GroupDraft | undefined {
  if (Object.keys(value).some((key) => key !== 'all' && key !== 'any')) return undefined
  const all = value.all === undefined ? [] : readParts(value.all)
  const any = value.any === undefined ? undefined : readParts(value.any)
  if (all === undefined || (value.any !== undefined && any === undefined)) return undefined
  if (any === undefined) return newGroup('all', all)
  if (all.length === 0) return newGroup('any', any)
  return newGroup('all', [...all, newGroup('any', any)])
}

function readParts(value: unknown): PartDraft[] | undefined {
  if (!Array.isArray(value)) return undefined
  const parts = value.map(readPart)
  return parts.includes(undefined) ? undefined : (parts as PartDraft[])
}

function readPart(value: unknown): PartDraft | undefined {
  if (!isObject(value)) return undefined
  const { name, operator, ...rest } = value
  if (typeof name !== 'string') return name === undefined ? readGroup(value) : undefined
  if (typeof operator !== 'string' || Object.keys(rest).some((key) => key !== 'value')) return undefined
  return { key: newKey(), name, operator, value: value.value }
}

export function writeDraft(group: GroupDraft): SegmentValue {
  return { [group.mode]: group.parts.map(writePart) }
}

function writePart(part: PartDraft): SegmentValue {
  return isGroup(part) ? writeDraft(part) : { name: part.name, operator: part.operator, value: part.value }
}

/** A segment that is about to be built. */
export function startingSegment(): SegmentValue {
  return writeDraft(newGroup('all', [firstRule()]))
}

/** Nobody was left out yet: there is no rule at all. */
export function isEmpty(value: unknown): boolean {
  const draft = readDraft(value)
  return draft !== undefined && draft.parts.length === 0
}

/** Every rule has its value and every group a rule, so that the service can be asked. What is not drawn is not judged. */
export function isComplete(value: unknown): boolean {
  const draft = readDraft(value)
  return draft === undefined || isWhole(draft)
}

function isWhole(part: PartDraft): boolean {
  if (isGroup(part)) return part.parts.length > 0 && part.parts.every(isWhole)
  const { value } = part
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}

/** The segment without incomplete rules, so that it can be counted while the user types. Undefined: no rule. */
export function completePart(value: unknown): unknown {
  const draft = readDraft(value)
  if (draft === undefined || isWhole(draft)) return value
  const part = pruned(draft)
  return part && writeDraft(part as GroupDraft)
}

function pruned(part: PartDraft): PartDraft | undefined {
  if (!isGroup(part)) return isWhole(part) ? part : undefined
  const parts = part.parts.flatMap((each) => pruned(each) ?? [])
  return parts.length === 0 ? undefined : { ...part, parts }
}

/** Somebody is left out already: there is a rule with its value. */
export function hasWholeRule(value: unknown): boolean {
  const draft = readDraft(value)
  return draft === undefined || listRules(draft).some(isWhole)
}

export function listRules(part: PartDraft): RuleDraft[] {
  return isGroup(part) ? part.parts.flatMap(listRules) : [part]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
