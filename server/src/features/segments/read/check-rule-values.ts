import { show } from '@peyk/contract'
import type { ValueKind } from '../../installations/attributes/value-kind.ts'
import { type Condition, type FittedRule, type Rule, replaceRules, type Scalar, type Test } from '../condition.ts'
import { readBoolean, readMoment, readValue, ValueFault } from './read-value.ts'
import { ruleFault } from './rule-fault.ts'
import { listOperators, takesOperator, wordOf } from './target-operators.ts'

export interface FitOptions {
  attributeKinds: ReadonlyMap<string, ValueKind>
  at: Date
  /** Checked when it was accepted: a rule that does not suit its attribute any more finds the attribute missing. */
  wasAccepted?: boolean
}

/** Checks each rule's operator and value against the kind of its name, and reads the value as that kind. */
export function checkRuleValues(condition: Condition<Rule>, options: FitOptions): Condition<FittedRule> {
  return replaceRules(condition, (rule) => ({ rule: fitRule(rule, options) }))
}

function fitRule(rule: Rule, { attributeKinds, at, wasAccepted }: FitOptions): FittedRule {
  const { field, place } = rule
  const kind = field.source.from === 'attribute' ? attributeKinds.get(field.source.name) : field.kind
  const missing: FittedRule = { field, kind: undefined, test: { exists: true }, isNegated: isNegative(rule) }
  try {
    if (kind === undefined) {
      readTest(rule, readAnything, at)
      return missing
    }
    if (!takesOperator(kind, rule.operator)) {
      const allowed = listOperators(kind, place.form).join(', ')
      const word = wordOf(rule.operator, place.form)
      throw ruleFault(place, `"${field.name}" takes ${allowed}; got ${show(word)}.`)
    }
    return { ...missing, kind, test: readTest(rule, (sent) => readValue(kind, sent, at), at) }
  } catch (error) {
    if (wasAccepted && field.source.from === 'attribute') return missing
    if (!(error instanceof ValueFault)) throw error
    throw ruleFault(place, `${error.message}.`, 'invalid-segment', error.expected && { expected: error.expected })
  }
}

function isNegative(rule: Rule): boolean {
  if (rule.operator === 'exists') return readBoolean(rule.value) === false
  return rule.operator === 'not_equal' || rule.operator === 'not_include'
}

function readTest({ operator, value }: Rule, read: (sent: unknown) => Scalar, at: Date): Test {
  switch (operator) {
    case 'equal_to':
    case 'not_equal':
      return { in: [read(value)] }
    case 'include':
    case 'not_include':
      return { in: readList(value, read) }
    case 'lesser_than':
      return { to: { value: read(value), isInclusive: false } }
    case 'lesser_equals':
      return { to: { value: read(value), isInclusive: true } }
    case 'greater_than':
      return { from: { value: read(value), isInclusive: false } }
    case 'greater_equals':
      return { from: { value: read(value), isInclusive: true } }
    case 'before':
      return { to: { value: readMoment(value, at), isInclusive: false } }
    case 'after':
      return { from: { value: readMoment(value, at), isInclusive: false } }
    case 'between': {
      const [from, to] = readPair(value)
      return { from: { value: read(from), isInclusive: true }, to: { value: read(to), isInclusive: true } }
    }
    case 'exists':
      if (readBoolean(value) === undefined) throw new ValueFault(`Expected true or false, got ${show(value)}`)
      return { exists: true }
  }
}

function readList(value: unknown, read: (sent: unknown) => Scalar): Scalar[] {
  const values = Array.isArray(value) ? value : [value]
  if (values.length === 0) throw new ValueFault('Expected one or more values, got an empty array')
  return [...new Set(values.map(read))]
}

function readPair(value: unknown): [unknown, unknown] {
  if (Array.isArray(value) && value.length === 2) return [value[0], value[1]]
  throw new ValueFault(`Expected an array of two values, got ${show(value)}`)
}

/** Of an attribute that was never set any plain value may be asked for. */
function readAnything(sent: unknown): Scalar {
  if (typeof sent !== 'object') return String(sent)
  throw new ValueFault(`Expected a text, a number, true or false, got ${show(sent)}`)
}
