import type { Condition, FittedRule } from '../condition.ts'

/** The same for questions that differ in nothing but their bounds: time moves these, and who types a number. */
export function keyOf(asked: Condition<FittedRule> | readonly Condition<FittedRule>[]): string {
  return JSON.stringify(asked, (name, value) => (name === 'value' ? undefined : value))
}
