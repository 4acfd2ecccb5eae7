import { openPool } from '#base/http-client/open-pool.ts'
import type { Pool, PoolAnswer, PoolRequest } from '#base/http-client/pool.ts'
import { checkOutbound } from '#base/outbound/check-outbound.ts'
import type { Outcome } from '../../provider.ts'
import type { ProviderOptions } from '../provider-options.ts'
import { requestUntilSent } from '../request-until-sent.ts'
import { knownPushHosts } from './push-hosts.ts'

/** A host that endpoints name, once the guard let it through. */
export interface PushService {
  readonly origin: string
  request(request: PoolRequest): Promise<PoolAnswer>
  /** How long it still wants to hear nothing; 0 when it does not, and for the one push that tries whether it is back. */
  silentMs(): number
  silence(forMs: number): void
}

export interface PushServices {
  find(origin: string): Promise<PushService | Extract<Outcome, { kind: 'refused' | 'later' }>>
  close(): Promise<void>
}

const checkAgainMs = 60_000
const mostServices = 64
const mostRefusals = 256
const maxConnections = 4
const unresolvedMs = 10_000
const faultsToSilence = 5
const firstSilenceMs = 1_000
const probeEveryMs = 1_000

interface Opened extends PushService {
  checkedAt: number
  moveTo(address: string): void
  close(): Promise<void>
}

type Refusal = Extract<Outcome, { kind: 'refused' | 'later' }>

/**
 * One pool per push service. The guard is asked before the first connection and again every minute; connections go to
 * the address it saw. Those least used are closed when there are too many, and what the guard refused stands apart, so
 * that made-up hosts do not push the real ones out.
 */
export function openPushServices({ endpoints, webPushHosts }: ProviderOptions): PushServices {
  const opened = new Map<string, Opened>()
  const refused = new Map<string, { refusal: Refusal; checkedAt: number }>()
  const underWay = new Map<string, Promise<PushService | Refusal>>()
  const rules = { allowedHosts: [...knownPushHosts, ...webPushHosts], localOrigins: endpoints.localOrigins }

  async function check(origin: string): Promise<PushService | Refusal> {
    const result = await checkOutbound(origin, rules)
    const checkedAt = performance.now()
    if ('refused' in result) {
      const refusal = refusalOf(result)
      const service = opened.get(origin)
      // A name server that is away says nothing against the connections that are there.
      if (service && refusal.kind === 'later') {
        service.checkedAt = checkedAt
        return service
      }
      if (service) void closeService(origin, service)
      keep(refused, origin, { refusal, checkedAt }, mostRefusals)
      return refusal
    }
    refused.delete(origin)
    const service = opened.get(origin) ?? openService(origin, result.address, endpoints.ca)
    service.checkedAt = checkedAt
    service.moveTo(result.address)
    const surplus = keep(opened, origin, service, mostServices)
    if (surplus) void surplus.close()
    return service
  }

  function closeService(origin: string, service: Opened): Promise<void> {
    opened.delete(origin)
    return service.close()
  }

  function checkOnce(origin: string): Promise<PushService | Refusal> {
    const running = underWay.get(origin)
    if (running) return running
    const started = check(origin).finally(() => underWay.delete(origin))
    underWay.set(origin, started)
    return started
  }

  return {
    async find(origin) {
      const service = opened.get(origin)
      const at = performance.now()
      if (service && at - service.checkedAt < checkAgainMs) {
        keep(opened, origin, service, mostServices)
        return service
      }
      const known = refused.get(origin)
      const isKept = known && at - known.checkedAt < (known.refusal.kind === 'later' ? unresolvedMs : checkAgainMs)
      return isKept ? known.refusal : checkOnce(origin)
    },
    async close() {
      await Promise.all([...opened].map(([origin, service]) => closeService(origin, service)))
    },
  }
}

function refusalOf(result: { refused: string; isTemporary?: boolean }): Refusal {
  return result.isTemporary
    ? { kind: 'later', retryAfterMs: unresolvedMs, isForAll: false, detail: result.refused }
    : { kind: 'refused', detail: `the endpoint of the subscription: ${result.refused}` }
}

/** Puts it last, as the newest; returns the oldest when there are too many. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): Value | undefined {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return undefined
  const [oldest, surplus] = map.entries().next().value as [string, Value]
  map.delete(oldest)
  return surplus
}

function openService(origin: string, firstAddress: string, ca: string | undefined): Opened {
  const open = (address: string): Pool => openPool({ origin, address, maxConnections, ...(ca !== undefined && { ca }) })
  let address = firstAddress
  let pool = open(address)
  let isUnreached = false
  let silentUntil = 0
  let probedAt = 0
  let faults = 0
  let silences = 0
  const silence = (forMs: number) => {
    silentUntil = Math.max(silentUntil, performance.now() + forMs)
  }
  /** A host that is away is left alone, longer each time, and then tried with one push a second until it answers. */
  const recordFault = () => {
    faults++
    if (faults >= faultsToSilence && silentUntil <= performance.now())
      silence(firstSilenceMs * 2 ** Math.min(silences++, 6))
  }
  return {
    origin,
    checkedAt: 0,
    async request(request) {
      const answer = await requestUntilSent(pool, request)
      if (answer.kind === 'not-sent' && answer.wasWithdrawn) return answer
      isUnreached = answer.kind === 'not-sent'
      if (answer.kind === 'answer' && answer.status < 500) faults = silences = 0
      else recordFault()
      return answer
    },
    /** Names with many addresses give another each time: only what can no longer be reached is left. */
    moveTo(next) {
      if (next === address || !isUnreached) return
      void pool.close()
      address = next
      pool = open(next)
      isUnreached = false
    },
    silentMs() {
      const at = performance.now()
      if (silentUntil > at || faults < faultsToSilence) return Math.max(0, silentUntil - at)
      if (at - probedAt < probeEveryMs) return probeEveryMs
      probedAt = at
      return 0
    },
    silence,
    close: () => pool.close(),
  }
}
