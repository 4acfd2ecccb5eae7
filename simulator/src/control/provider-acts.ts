import { type FaultRule, type FaultTarget, faultTargets } from '../providers/fault-rule.ts'
import { type ProviderName, providerNames } from '../providers/provider.ts'
import { type ReceivedFilter, type ReceivedPush, recordModes } from '../providers/record.ts'
import type { Providers } from '../providers/start-providers.ts'
import { oneOf, optionalText, wholeNumber } from './check-input.ts'
import { ControlError } from './control-error.ts'
import { readFaultRules } from './read-fault-rules.ts'
import { describe, type JsonObject } from './read-json.ts'

export type SimulatedFaults = Partial<Record<FaultTarget, FaultRule[]>>

/** As a device would give them to the service: web push as JSON of the subscription. */
export interface SimulatedTokens {
  tokens: string[]
}

const maxTokens = 100_000
const tokenProviders = ['fcm', 'apns', 'webpush'] as const

export function listFaults({ faults }: Providers): SimulatedFaults {
  return faults.list()
}

/** In place of those that were there; counting begins anew. */
export function setFaults({ faults }: Providers, target: string | undefined, body: JsonObject): SimulatedFaults {
  const known = faultTargets.find((name) => name === target)
  if (!known) throw new ControlError(404, `Expected one of ${faultTargets.join(', ')} after /faults/, got ${target}.`)
  faults.set(known, readFaultRules(body))
  return faults.list()
}

export function clearFaults({ faults }: Providers): SimulatedFaults {
  faults.clear()
  return faults.list()
}

export function listReceived({ record }: Providers, query: URLSearchParams): ReceivedPush[] {
  const filter: ReceivedFilter = {}
  const provider = query.get('provider')
  if (provider) filter.provider = oneOf<ProviderName>({ provider }, 'provider', providerNames)
  const messageId = query.get('messageId')
  if (messageId) filter.messageId = messageId
  return record.list(filter)
}

export function setRecordMode({ record }: Providers, body: JsonObject): { mode: string } {
  record.mode = oneOf(body, 'mode', recordModes)
  return { mode: record.mode }
}

/** As when the app is removed from those devices; answers how many were the simulator's own. */
export function killTokens({ tokens }: Providers, body: JsonObject): { killed: number } {
  const provider = oneOf(body, 'provider', tokenProviders)
  const { tokens: sent } = body
  if (!Array.isArray(sent) || !sent.every((token) => typeof token === 'string')) {
    throw new ControlError(400, `tokens: expected an array of texts, got ${describe(sent)}.`)
  }
  return { killed: sent.filter((token: string) => tokens.kill(provider, token)).length }
}

export function makeTokens({ tokens }: Providers, body: JsonObject): SimulatedTokens {
  const provider = oneOf(body, 'provider', tokenProviders)
  const count = wholeNumber(body, 'count', 1, maxTokens)
  const vapidKey = optionalText(body, 'vapidKey')
  const make = () => {
    const token = tokens.issue(provider, undefined, vapidKey)
    return typeof token === 'string' ? token : JSON.stringify(token)
  }
  return { tokens: Array.from({ length: count }, make) }
}
