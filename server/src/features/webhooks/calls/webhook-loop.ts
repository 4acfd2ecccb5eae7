import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Durations } from '../../../base/durations.ts'
import type { External } from '../../../base/external.ts'
import type { Logger } from '../../../base/log.ts'
import { createLoop, type Loop } from '../../../base/loop.ts'
import type { Store } from '../../../base/store/store.ts'
import { callWebhook } from './call-webhook.ts'
import { type DueCall, type InFlight, type SettledCall, takeCalls } from './calls-store.ts'
import { createCalls } from './create-calls.ts'
import { nextTryMs } from './next-try.ts'
import { settleCalls } from './settle-calls.ts'

interface Services {
  store: Store
  log: Logger
  now(): Date
  external: External
  durations: Durations
  /** How long a receiver may take; ten seconds unless given. */
  timeoutMs?: number
}

const lookEveryMs = 250
const perWebhook = 8
const perProcess = 256
const stopMs = 5_000

/**
 * Tells webhooks what happened. A turn writes what came of calls, makes new ones of the outbox, and takes those that are
 * due; the calls themselves run beside it, so a slow receiver holds up its own and nobody else's.
 *
 *   outbox ──▶ waiting ──taken with a lease──▶ called ──2xx──▶ gone, and in the log
 *                 ▲                              └──else──▶ waiting, later each time; after a day failed
 *                 └──────── the lease ran out ────┘
 */
export function createWebhookLoop(services: Services): Loop {
  const { store, log, now, durations } = services
  const lease = { holder: randomUUID(), leaseMs: durations.webhookLeaseMs }
  const calls = new Set<Promise<void>>()
  const inFlight = new Map<string, InFlight>()
  let settled: SettledCall[] = []

  async function settle(): Promise<void> {
    if (settled.length === 0) return
    const own = settled
    settled = []
    try {
      await settleCalls(services, lease.holder, own)
    } catch (error) {
      settled = [...own, ...settled]
      throw error
    }
  }

  function start(due: DueCall): void {
    const key = `${due.app_id}/${due.webhook_id}`
    const own = inFlight.get(key) ?? { appId: due.app_id, webhookId: due.webhook_id, count: 0 }
    inFlight.set(key, own)
    own.count++
    const call = run(due).then((ended) => {
      calls.delete(call)
      own.count--
      if (own.count === 0) inFlight.delete(key)
      settled.push(ended)
      loop.wake()
    })
    calls.add(call)
  }

  async function run(due: DueCall): Promise<SettledCall> {
    const at = now()
    const event = { id: due.event_id, type: due.kind, at: due.happened_at, appLabel: due.label, data: due.body }
    const result = await callWebhook(services, { url: due.url, sealedSecret: due.sealed_secret }, event)
    const waitMs = result.isSuccess
      ? 0
      : nextTryMs(due.attempts + 1, result.retryAfterMs, Math.random(), durations.webhookRetryMs)
    return {
      appId: due.app_id,
      webhookId: due.webhook_id,
      callNo: due.call_no,
      at,
      eventId: due.event_id,
      kind: due.kind,
      isSuccess: result.isSuccess,
      status: result.status,
      detail: result.isSuccess ? result.detail : `${result.detail}; next try in ${Math.ceil(waitMs / 1_000)} s`,
      tookMs: result.tookMs,
      nextTryMs: waitMs,
    }
  }

  const loop = createLoop({
    name: 'telling webhooks',
    log,
    everyMs: lookEveryMs,
    turn: async () => {
      await settle()
      const hasMore = await createCalls(store)
      const room = perProcess - calls.size
      if (room > 0)
        for (const due of await takeCalls(store, { ...lease, inFlight: [...inFlight.values()], perWebhook, room }))
          start(due)
      return hasMore
    },
  })

  return {
    ...loop,
    stop: async () => {
      await loop.stop()
      await Promise.race([Promise.all(calls), delay(stopMs, undefined, { ref: false })])
      await settle().catch(() => undefined)
    },
  }
}
