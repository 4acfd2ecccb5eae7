import type { Rule } from '../condition.ts'
import { type Kind, operatorsOfKind, type RuleForm, type RuleOperator } from '../fields.ts'

/** [segments.md#target-and-segment] The words of a filter, as operators of a rule. A plain value is `eq`. */
export const targetOperators: ReadonlyMap<string, Rule['operator']> = new Map([
  ['eq', 'equal_to'],
  ['neq', 'not_equal'],
  ['inq', 'include'],
  ['nin', 'not_include'],
  ['lt', 'lesser_than'],
  ['lte', 'lesser_equals'],
  ['gt', 'greater_than'],
  ['gte', 'greater_equals'],
  ['between', 'between'],
  ['exists', 'exists'],
])

export function takesOperator(kind: Kind, operator: Rule['operator']): boolean {
  if (operator === 'exists') return true
  return operatorsOfKind[kind].includes(operator === 'between' ? 'lesser_equals' : operator)
}

/** What a kind takes, in the words of the form that was used. */
export function listOperators(kind: Kind, form: RuleForm): string[] {
  if (form === 'segment') return [...operatorsOfKind[kind]]
  return [...targetOperators].filter(([, operator]) => takesOperator(kind, operator)).map(([word]) => word)
}

export function wordOf(operator: Rule['operator'], form: RuleForm): string {
  if (form === 'segment') return operator satisfies RuleOperator | 'between' | 'exists'
  return [...targetOperators].find(([, meaning]) => meaning === operator)?.[0] ?? operator
}
