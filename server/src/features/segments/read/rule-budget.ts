import { limits } from '#base/config.ts'
import type { Place } from '../condition.ts'
import { ruleFault } from './rule-fault.ts'

const maxDepth = 8

/** Keeps count while a segment or a filter is read, so that no statement grows beyond reason. */
export class RuleBudget {
  private rules = 0

  spendRule(place: Place): void {
    if (++this.rules <= limits.rulesPerSegment) return
    throw ruleFault(place, `There are more than ${limits.rulesPerSegment} rules.`, 'too-large')
  }

  checkValues(value: unknown, place: Place): void {
    if (!Array.isArray(value) || value.length <= limits.valuesPerRule) return
    const message = `There are ${value.length} values; at most ${limits.valuesPerRule} are allowed.`
    throw ruleFault(place, message, 'too-large')
  }

  checkDepth(depth: number, place: Place): void {
    if (depth > maxDepth) throw ruleFault(place, `Rules are nested deeper than ${maxDepth} levels.`)
  }
}
