import type { Bound, Condition, FittedRule, Range } from '../condition.ts'

/** Ranges of one name that must all hold become one, so that its values are looked up once. */
export function mergeRanges(condition: Condition<FittedRule>): Condition<FittedRule> {
  if ('rule' in condition) return condition
  if ('any' in condition) return { any: condition.any.map(mergeRanges) }
  const merged = new Map<string, FittedRule>()
  const kept: Condition<FittedRule>[] = []
  for (const part of condition.all) {
    const range = 'rule' in part ? numericRange(part.rule) : undefined
    if (!('rule' in part) || !range) {
      kept.push(mergeRanges(part))
      continue
    }
    const earlier = merged.get(part.rule.field.name)
    if (earlier) earlier.test = intersect(earlier.test as Range, range)
    else {
      const rule = { ...part.rule }
      merged.set(rule.field.name, rule)
      kept.push({ rule })
    }
  }
  return { all: kept }
}

function numericRange({ test }: FittedRule): Range | undefined {
  if (!('from' in test || 'to' in test)) return undefined
  return typeof (test.from ?? test.to)?.value === 'number' ? test : undefined
}

function intersect(left: Range, right: Range): Range {
  const from = narrower(left.from, right.from, (a, b) => a > b)
  const to = narrower(left.to, right.to, (a, b) => a < b)
  return { ...(from && { from }), ...(to && { to }) }
}

function narrower(left: Bound | undefined, right: Bound | undefined, isNarrower: (a: number, b: number) => boolean) {
  if (!left || !right) return left ?? right
  if (left.value === right.value) return left.isInclusive ? right : left
  return isNarrower(Number(left.value), Number(right.value)) ? left : right
}
