import { type FaultRule, type FaultTarget, faultTargets } from './fault-rule.ts'

/** A rule and what it has seen so far. */
interface CountedRule {
  rule: FaultRule
  seen: number
  /** Of a quota: the second under way, and how many came in it. */
  second: number
  inSecond: number
}

/** Rules in order; the first that matches counts. The counters begin when the rules are set. */
export class FaultList {
  private readonly rules = new Map<FaultTarget, CountedRule[]>()
  private readonly delayed = new Map<FaultTarget, Map<NodeJS.Timeout, () => void>>()
  private readonly monotonicMs: () => number

  constructor(
    rules: Partial<Record<FaultTarget, readonly FaultRule[]>> = {},
    monotonicMs: () => number = () => performance.now(),
  ) {
    this.monotonicMs = monotonicMs
    for (const target of faultTargets) this.set(target, rules[target] ?? [])
  }

  /** What other rules delayed happens at once. */
  set(target: FaultTarget, rules: readonly FaultRule[]): void {
    this.release(target)
    if (rules.length === 0) this.rules.delete(target)
    else
      this.rules.set(
        target,
        rules.map((rule) => ({ rule: withEndpoint(rule), seen: 0, second: -1, inSecond: 0 })),
      )
  }

  clear(): void {
    for (const target of faultTargets) this.set(target, [])
  }

  delay(target: FaultTarget, delayMs: number, run: () => void): void {
    const delayed = this.delayed.get(target) ?? new Map()
    this.delayed.set(target, delayed)
    const timer = setTimeout(() => {
      delayed.delete(timer)
      run()
    }, delayMs).unref()
    delayed.set(timer, run)
  }

  private release(target: FaultTarget): void {
    const delayed = [...(this.delayed.get(target) ?? [])]
    this.delayed.delete(target)
    for (const [timer, run] of delayed) {
      clearTimeout(timer)
      run()
    }
  }

  list(): Partial<Record<FaultTarget, FaultRule[]>> {
    return Object.fromEntries([...this.rules].map(([target, rules]) => [target, rules.map(({ rule }) => rule)]))
  }

  find(target: FaultTarget, token?: string, tokenId?: string): FaultRule | undefined {
    const rules = this.rules.get(target)
    if (rules === undefined) return undefined
    return rules.find((counted) => this.isMatch(counted, token, tokenId))?.rule
  }

  private isMatch(counted: CountedRule, token: string | undefined, tokenId: string | undefined): boolean {
    const { match } = counted.rule
    if (!match) return true
    if (match.token !== undefined && match.token !== token && match.token !== tokenId) return false
    const seen = ++counted.seen - (match.after ?? 0)
    if (seen <= 0) return false
    if (match.first !== undefined && seen > match.first) return false
    if (match.every !== undefined && seen % match.every !== 0) return false
    return match.perSecond === undefined || this.isAbove(counted, match.perSecond)
  }

  private isAbove(counted: CountedRule, perSecond: number): boolean {
    const second = Math.floor(this.monotonicMs() / 1000)
    if (counted.second !== second) {
      counted.second = second
      counted.inSecond = 0
    }
    return ++counted.inSecond > perSecond
  }
}

/** A browser's subscription is known by its endpoint. */
function withEndpoint(rule: FaultRule): FaultRule {
  const token = rule.match?.token
  if (!token?.startsWith('{')) return rule
  try {
    const { endpoint } = JSON.parse(token) as { endpoint?: unknown }
    return typeof endpoint === 'string' ? { ...rule, match: { ...rule.match, token: endpoint } } : rule
  } catch {
    return rule
  }
}
