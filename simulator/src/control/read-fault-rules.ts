import { constants } from 'node:http2'
import { type FaultRule, faultActions } from '../providers/fault-rule.ts'
import { ControlError } from './control-error.ts'
import { describe, isObject, type JsonObject } from './read-json.ts'

type Check = { expected: string; isGood(value: unknown): boolean }

const maxRules = 1_000
const text: Check = { expected: 'a text', isGood: (value) => typeof value === 'string' }
const yesOrNo: Check = { expected: 'true or false', isGood: (value) => typeof value === 'boolean' }
const number = (min: number, max: number): Check => ({
  expected: `a whole number from ${min} to ${max}`,
  isGood: (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
})
const word = (known: readonly string[]): Check => ({
  expected: `one of ${known.join(', ')}`,
  isGood: (value) => known.includes(value as string),
})
const either = (first: Check, second: Check): Check => ({
  expected: `${first.expected} or ${second.expected}`,
  isGood: (value) => first.isGood(value) || second.isGood(value),
})

const million = 1_000_000
const matchChecks: Record<keyof NonNullable<FaultRule['match']>, Check> = {
  token: text,
  every: number(1, million),
  first: number(1, 100 * million),
  after: number(0, 100 * million),
  perSecond: number(0, 100 * million),
}
const errorCodes = Object.keys(constants)
  .filter((name) => /^NGHTTP2_[A-Z0-9_]+$/.test(name))
  .map((name) => name.slice('NGHTTP2_'.length))
const ruleChecks: Record<Exclude<keyof FaultRule, 'match'>, Check> = {
  status: number(200, 599),
  reason: text,
  retryAfter: either(text, { expected: 'a number', isGood: (value) => typeof value === 'number' }),
  field: text,
  timestamp: number(0, 8_640_000_000_000_000),
  body: text,
  delayMs: number(0, 3_600_000),
  maxConcurrentStreams: number(0, 2 ** 31 - 1),
  // biome-ignore lint/suspicious/noThenProperty: the name is agreed
  then: word(faultActions),
  lastStream: word(['at', 'below']),
  code: either(number(0, 2 ** 31 - 1), {
    expected: 'an HTTP/2 error code such as REFUSED_STREAM',
    isGood: (value) => errorCodes.includes(value as string),
  }),
  isTaken: yesOrNo,
}

/** `{rules: [...]}`: every name and value is checked, so that a typo is not a fault that never happens. */
export function readFaultRules(body: JsonObject): FaultRule[] {
  const { rules } = body
  if (!Array.isArray(rules) || rules.length > maxRules) {
    throw new ControlError(400, `rules: expected an array of at most ${maxRules} rules, got ${describe(rules)}.`)
  }
  return rules.map((rule, index) => readRule(rule, `rules[${index}]`))
}

function readRule(sent: unknown, where: string): FaultRule {
  if (!isObject(sent)) throw new ControlError(400, `${where}: expected an object, got ${describe(sent)}.`)
  const { match, ...rest } = sent
  const rule = readFields(rest, ruleChecks, where) as FaultRule
  if (match === undefined) return rule
  if (!isObject(match)) throw new ControlError(400, `${where}.match: expected an object, got ${describe(match)}.`)
  return { match: readFields(match, matchChecks, `${where}.match`), ...rule }
}

function readFields(sent: JsonObject, checks: Record<string, Check>, where: string): JsonObject {
  for (const [name, value] of Object.entries(sent)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (!check) {
      throw new ControlError(400, `${where}: expected ${Object.keys(checks).join(', ')}, got ${describe(name)}.`)
    }
    if (!check.isGood(value)) {
      throw new ControlError(400, `${where}.${name}: expected ${check.expected}, got ${describe(value)}.`)
    }
  }
  return sent
}
