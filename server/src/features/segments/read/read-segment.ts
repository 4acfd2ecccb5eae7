import { show } from '@peyk/contract'
import type { Condition, Place, Rule, Step } from '../condition.ts'
import { type Field, findField, listNames, operatorsOfKind, type RuleOperator, ruleOperators } from '../fields.ts'
import { RuleBudget } from './rule-budget.ts'
import { ruleFault } from './rule-fault.ts'

type Json = Record<string, unknown>

const top: Place = { form: 'segment', text: '', path: '' }
const groupKeys = ['all', 'any'] as const

/** [interface.md#24-segments] Reads the rule form. Each rule of `all` is a step; an `any` beside it is one more. */
export function readSegment(sent: unknown): Step<Rule>[] {
  const budget = new RuleBudget()
  const group = readGroup(sent, top)
  const steps: Step<Rule>[] = []
  for (const [index, part] of (group.all ?? []).entries()) {
    steps.push({ sent: part, condition: readPart(part, placeOf(top, 'all', index), 1, budget) })
  }
  if (group.any) steps.push({ sent: { any: group.any }, condition: readAny(group.any, top, 1, budget) })
  return steps
}

function readPart(sent: unknown, place: Place, depth: number, budget: RuleBudget): Condition<Rule> {
  if (!isObject(sent)) throw ruleFault(place, `Expected a rule such as ${exampleRule}, got ${show(sent)}.`)
  if (!('name' in sent) && groupKeys.some((key) => key in sent)) {
    budget.checkDepth(depth + 1, place)
    const group = readGroup(sent, place)
    const all = (group.all ?? []).map((part, index) => readPart(part, placeOf(place, 'all', index), depth + 1, budget))
    return { all: group.any ? [...all, readAny(group.any, place, depth + 1, budget)] : all }
  }
  budget.spendRule(place)
  return { rule: readRule(sent, place, budget) }
}

function readAny(parts: unknown[], place: Place, depth: number, budget: RuleBudget): Condition<Rule> {
  return { any: parts.map((part, index) => readPart(part, placeOf(place, 'any', index), depth, budget)) }
}

const exampleRule = '{"name":"launchCount","operator":"greater_than","value":3}'

function readGroup(sent: unknown, place: Place): { all?: unknown[]; any?: unknown[] } {
  if (!isObject(sent)) throw ruleFault(place, `Expected a segment such as {"all":[${exampleRule}]}, got ${show(sent)}.`)
  refuseUnknownKeys(sent, groupKeys, place, 'A segment has "all", "any" or both.')
  const group: { all?: unknown[]; any?: unknown[] } = {}
  for (const key of groupKeys) {
    const rules = sent[key]
    if (rules === undefined || rules === null) continue
    const at = { ...place, path: join(place.path, key) }
    if (!Array.isArray(rules)) throw ruleFault(at, `"${key}": expected an array of rules, got ${show(rules)}.`)
    if (rules.length === 0) throw ruleFault(at, `"${key}": expected one or more rules, got an empty array.`)
    group[key] = rules
  }
  if (!group.all && !group.any) throw ruleFault(place, 'Expected "all", an array of one or more rules.')
  return group
}

const ruleKeys = ['name', 'operator', 'value'] as const

function readRule(sent: Json, place: Place, budget: RuleBudget): Rule {
  refuseUnknownKeys(sent, ruleKeys, place, 'A rule has "name", "operator" and "value".')
  for (const key of ruleKeys) {
    if (sent[key] === undefined || sent[key] === null) throw ruleFault(place, `"${key}" is required.`)
  }
  const { name, operator, value } = sent
  const field = typeof name === 'string' ? findField(name, 'segment') : undefined
  if (!field) {
    const at = { ...place, path: join(place.path, 'name') }
    throw ruleFault(at, `There is no name ${show(name)}. Expected one of ${listNames('segment').join(', ')}.`)
  }
  budget.checkValues(value, place)
  return { field, operator: readOperator(operator, field, place), value, place }
}

function readOperator(sent: unknown, field: Field, place: Place): RuleOperator {
  const operator = ruleOperators.find((word) => word === sent)
  if (operator) return operator
  const allowed = field.kind ? operatorsOfKind[field.kind] : ruleOperators
  const at = { ...place, path: join(place.path, 'operator') }
  throw ruleFault(at, `There is no operator ${show(sent)}. "${field.name}" takes ${allowed.join(', ')}.`)
}

/** [requests.md#bodies] A typo must not widen a segment. */
function refuseUnknownKeys(sent: Json, known: readonly string[], place: Place, expected: string): void {
  const unknown = Object.keys(sent).find((key) => !known.includes(key))
  if (unknown !== undefined) throw ruleFault(place, `Unknown key ${show(unknown)}. ${expected}`)
}

function placeOf(parent: Place, key: 'all' | 'any', index: number): Place {
  const text = `Rule ${index + 1} of "${key}"`
  const inside = parent.text === '' ? '' : ` in ${parent.text.replace(/^R/, 'r')}`
  return { form: 'segment', text: text + inside, path: `${join(parent.path, key)}[${index}]` }
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
