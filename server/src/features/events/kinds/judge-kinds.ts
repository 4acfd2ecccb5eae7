import type { ValueKind } from '../../installations/attributes/value-kind.ts'
import type { EventDraft } from '../event.ts'
import { kindOfValue } from './event-values.ts'

const nouns: Record<ValueKind, string> = {
  number: 'a number',
  text: 'a text',
  boolean: 'a boolean',
  date: 'a date',
  list: 'an array of texts',
}

/**
 * [users-and-events.md#attributes] A value of another kind than the name's first use is kept with the event, is said in
 * a warning and adds nothing to the sums. Judging a draft again gives the same.
 */
export function judgeKinds(draft: EventDraft, kinds: ReadonlyMap<string, ValueKind>): void {
  const warnings: string[] = []
  const data = draft.data ?? {}
  for (const name in data) {
    const kind = kindOfValue(data[name]) as ValueKind
    const first = kinds.get(name) ?? kind
    if (first !== kind) warnings.push(kindWarning(draft.name, name, kind, first))
  }
  const isNumber = typeof data.value === 'number' && (kinds.get('value') ?? 'number') === 'number'
  draft.value = draft.revenue ?? (isNumber ? (data.value as number) : null)
  draft.kindWarnings = warnings.length > 0 ? warnings : undefined
}

function kindWarning(eventName: string, name: string, kind: ValueKind, first: ValueKind): string {
  return `"eventData.${name}" is ${nouns[kind]}, but was ${nouns[first]} when "${eventName}" first had it: it is kept and takes no part in segments.`
}
