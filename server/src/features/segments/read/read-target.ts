import { show } from '@peyk/contract'
import type { Condition, Place, Rule, Step } from '../condition.ts'
import { findField, listNames } from '../fields.ts'
import { RuleBudget } from './rule-budget.ts'
import { ruleFault } from './rule-fault.ts'
import { targetOperators } from './target-operators.ts'

type Json = Record<string, unknown>

/** [segments.md#target-and-segment] Reads a where-filter. Each of its keys is a step; none at all means everybody. */
export function readTarget(sent: unknown): Step<Rule>[] {
  const place: Place = { form: 'target', text: '', path: '' }
  if (!isObject(sent)) throw ruleFault(place, `Expected a filter such as {"deviceType":"ios"}, got ${show(sent)}.`)
  const budget = new RuleBudget()
  return Object.entries(sent).map(([key, value]) => ({
    sent: { [key]: value },
    condition: readEntry(key, value, place, 1, budget),
  }))
}

function readEntry(key: string, value: unknown, parent: Place, depth: number, budget: RuleBudget): Condition<Rule> {
  if (key === 'and') return { all: readParts(key, value, parent, depth, budget) }
  if (key === 'or') return { any: readParts(key, value, parent, depth, budget) }
  const place = { ...parent, text: `Field ${show(key)}${parent.text}`, path: join(parent.path, key) }
  const field = findField(key, 'target')
  if (!field) {
    throw ruleFault(place, `There is no such name. Expected one of ${listNames('target').join(', ')}, and, or.`)
  }
  if (!isObject(value)) {
    budget.spendRule(place)
    return { rule: { field, operator: 'equal_to', value: present(value, place), place } }
  }
  const operators = Object.entries(value)
  if (operators.length === 0) throw ruleFault(place, `Expected a value or an operator such as {"neq":"ios"}, got {}.`)
  const rules = operators.map(([word, operand]): Condition<Rule> => {
    const at = { ...place, path: join(place.path, word) }
    const operator = targetOperators.get(word)
    const expected = [...targetOperators.keys()].join(', ')
    if (!operator) throw ruleFault(at, `There is no operator ${show(word)}. Expected one of ${expected}.`)
    budget.spendRule(at)
    budget.checkValues(operand, at)
    return { rule: { field, operator, value: present(operand, at), place: at } }
  })
  return rules.length === 1 ? (rules[0] as Condition<Rule>) : { all: rules }
}

function readParts(key: 'and' | 'or', value: unknown, parent: Place, depth: number, budget: RuleBudget) {
  const place = { ...parent, path: join(parent.path, key) }
  budget.checkDepth(depth + 1, place)
  if (!Array.isArray(value) || value.length === 0) {
    throw ruleFault(place, `"${key}": expected an array of one or more filters, got ${show(value)}.`)
  }
  return value.map((part, index): Condition<Rule> => {
    const at = { ...parent, text: ` in part ${index + 1} of "${key}"${parent.text}`, path: `${place.path}[${index}]` }
    if (!isObject(part) || Object.keys(part).length === 0) {
      throw ruleFault(place, `"${key}": expected filters such as {"deviceType":"ios"}, got ${show(part)}.`)
    }
    return { all: Object.entries(part).map(([name, entry]) => readEntry(name, entry, at, depth + 1, budget)) }
  })
}

function present(value: unknown, place: Place): unknown {
  if (value === null || value === undefined) {
    throw ruleFault(place, 'Expected a value, got null. What is missing is found by {"exists":false}.')
  }
  return value
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
