import type { Field, Kind, RuleForm, RuleOperator } from './fields.ts'

/** Rules under `all` and `any`. An empty `all` holds for everybody. */
export type Condition<Leaf> = { all: Condition<Leaf>[] } | { any: Condition<Leaf>[] } | { rule: Leaf }

/** Where a rule stands, for a person (`Rule 3 of "all"`) and for a program (`all[2]`). */
export interface Place {
  form: RuleForm
  text: string
  path: string
}

/** A rule as it was read, with a known name; whether its operator and value suit the name is not known yet. */
export interface Rule {
  field: Field
  operator: RuleOperator | 'between' | 'exists'
  value: unknown
  place: Place
}

/** Numbers as they are, booleans as 1 and 0, times as epoch milliseconds, versions as their keys. */
export type Scalar = number | string

export interface Bound {
  value: Scalar
  isInclusive: boolean
}

export type Range = { from?: Bound; to?: Bound }

export type Test = { in: Scalar[] } | Range | { exists: true }

/** A rule that suits its name. Negated, it holds wherever the test does not, also where the field is missing. */
export interface FittedRule {
  field: Field
  /** Undefined for an attribute that was never set. */
  kind: Kind | undefined
  test: Test
  isNegated: boolean
}

/** One step of a segment: what was sent, and what it means. All steps must hold. */
export interface Step<Leaf> {
  sent: unknown
  condition: Condition<Leaf>
}

export function replaceRules<From, To>(condition: Condition<From>, by: (rule: From) => Condition<To>): Condition<To> {
  if ('all' in condition) return { all: condition.all.map((part) => replaceRules(part, by)) }
  if ('any' in condition) return { any: condition.any.map((part) => replaceRules(part, by)) }
  return by(condition.rule)
}

export function listRules<Leaf>(condition: Condition<Leaf>): Leaf[] {
  if ('rule' in condition) return [condition.rule]
  return ('all' in condition ? condition.all : condition.any).flatMap(listRules)
}
