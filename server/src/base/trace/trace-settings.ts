import { ConfigError } from '../config-error.ts'

/** Where spans go, and which; [ADR-0245]. */
export interface TraceSettings {
  /** Where they are posted to. */
  url: string
  headers: Readonly<Record<string, string>>
  timeoutMs: number
  /** How long spans are collected before they are sent. */
  delayMs: number
  /** More than these do not wait; what comes then is dropped. */
  maxWaiting: number
  sampler: SamplerSettings
  /** What is said of this service, with its name. */
  resource: Readonly<Record<string, string>>
}

export interface SamplerSettings {
  /** The part of all traces that is recorded, from 0 to 1. */
  ratio: number
  /** Who calls us with a trace of their own decides about it. */
  isParentBased: boolean
}

type Environment = Record<string, string | undefined>

const samplers: Record<string, { ratio: 0 | 1 | 'given'; isParentBased: boolean }> = {
  always_on: { ratio: 1, isParentBased: false },
  always_off: { ratio: 0, isParentBased: false },
  traceidratio: { ratio: 'given', isParentBased: false },
  parentbased_always_on: { ratio: 1, isParentBased: true },
  parentbased_always_off: { ratio: 0, isParentBased: true },
  parentbased_traceidratio: { ratio: 'given', isParentBased: true },
}

/** By the variables that OpenTelemetry has for it. Undefined unless they say where spans go. */
export function readTraceSettings(env: Environment): TraceSettings | undefined {
  if (oneOf(env, 'OTEL_SDK_DISABLED', ['false', 'true']) === 'true') return undefined
  const url = readUrl(env)
  if (url === undefined || oneOf(env, 'OTEL_TRACES_EXPORTER', ['otlp', 'none']) === 'none') return undefined
  checkProtocol(env)
  return {
    url,
    headers: { ...pairs(env, 'OTEL_EXPORTER_OTLP_HEADERS'), ...pairs(env, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS') },
    timeoutMs: number(env, 'OTEL_EXPORTER_OTLP_TIMEOUT', { fallback: 10_000, min: 1, max: 60_000 }),
    delayMs: number(env, 'OTEL_BSP_SCHEDULE_DELAY', { fallback: 5_000, min: 1, max: 60_000 }),
    maxWaiting: number(env, 'OTEL_BSP_MAX_QUEUE_SIZE', { fallback: 8_192, min: 1, max: 1e6 }),
    sampler: readSampler(env),
    resource: readResource(env),
  }
}

function checkProtocol(env: Environment): void {
  const name = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'].find((each) => env[each])
  if (name === undefined || env[name] === 'http/json') return
  throw new ConfigError(
    `${name} is "${env[name]}"; Peyk speaks http/json, which collectors take on the port of http/protobuf (4318): set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json.`,
  )
}

function readUrl(env: Environment): string | undefined {
  const own = httpUrl(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  if (own) return own.href
  const shared = httpUrl(env, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  if (!shared) return undefined
  shared.pathname = `${shared.pathname.replace(/\/$/, '')}/v1/traces`
  return shared.href
}

/** It may have secrets: it is not repeated. */
function httpUrl(env: Environment, name: string): URL | undefined {
  const text = env[name]
  if (!text) return undefined
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url
  throw new ConfigError(`${name} must be an address such as http://localhost:4318, without a name or a password.`)
}

function readSampler(env: Environment): SamplerSettings {
  const name = oneOf(env, 'OTEL_TRACES_SAMPLER', Object.keys(samplers)) ?? 'parentbased_always_on'
  const { ratio, isParentBased } = samplers[name] as (typeof samplers)[string]
  const given = number(env, 'OTEL_TRACES_SAMPLER_ARG', { fallback: 1, min: 0, max: 1, isWhole: false })
  return { ratio: ratio === 'given' ? given : ratio, isParentBased }
}

function readResource(env: Environment): Record<string, string> {
  const given = pairs(env, 'OTEL_RESOURCE_ATTRIBUTES')
  return { ...given, 'service.name': env.OTEL_SERVICE_NAME || given['service.name'] || 'peyk' }
}

/** `name=value,name=value`, each percent-encoded as in W3C Baggage. The values may be secrets: they are not repeated. */
function pairs(env: Environment, variable: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const part of (env[variable] ?? '').split(',')) {
    if (part.trim() === '') continue
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~/-]+)\s*=\s*(.*?)\s*$/.exec(part) ?? []
    const text = value === undefined ? undefined : decode(value)
    if (name === undefined || text === undefined)
      throw new ConfigError(`${variable} must be like name=value,name=value; values may be percent-encoded.`)
    found[name] = text
  }
  return found
}

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text)
    return /[\0\r\n]/.test(decoded) ? undefined : decoded
  } catch {
    return undefined
  }
}

function oneOf(env: Environment, name: string, words: readonly string[]): string | undefined {
  const text = env[name]?.toLowerCase()
  if (!text || words.includes(text)) return text || undefined
  throw new ConfigError(`${name} is "${env[name]}"; expected ${words.join(', ')}.`)
}

interface Bounds {
  fallback: number
  min: number
  max: number
  isWhole?: boolean
}

function number(env: Environment, name: string, { fallback, min, max, isWhole = true }: Bounds): number {
  const text = env[name]
  if (!text) return fallback
  const value = Number(text)
  if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value
  throw new ConfigError(
    `${name} is "${text}"; expected a ${isWhole ? 'whole number' : 'number'} from ${min} to ${max}.`,
  )
}
