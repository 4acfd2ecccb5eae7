import type { Bound, Condition, FittedRule } from './condition.ts'

type Range = { from?: Bound; to?: Bound }

/** Ranges of one name that must all hold become one, so that its values are looked up once. */
export function mergeRanges(parts: Condition<FittedRule>[]): Condition<FittedRule>[] {
  const merged = new Map<string, FittedRule>()
  const kept: Condition<FittedRule>[] = []
  for (const part of parts) {
    const range = 'rule' in part ? numericRange(part.rule) : undefined
    if (!('rule' in part) || !range) {
      kept.push(part)
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
  return kept
}

function numericRange({ test }: FittedRule): Range | undefined {
  if (!('from' in test || 'to' in test)) return undefined
  return [test.from, test.to].some((bound) => typeof bound?.value === 'string') ? undefined : test
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
