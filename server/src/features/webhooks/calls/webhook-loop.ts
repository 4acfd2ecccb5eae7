import { randomUUID } from 'node:crypto'
import type { Durations } from '#base/durations.ts'
import type { External } from '#base/external.ts'
import type { Logger } from '#base/log.ts'
import type { Loop } from '#base/loop.ts'
import type { Store } from '#base/store/store.ts'
import { createWorkLoop } from '#base/work-loop.ts'
import { callWebhook } from './call-webhook.ts'
import { type DueCall, type SettledCall, takeCalls } from './calls-store.ts'
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
 * Tells webhooks what happened: makes calls of what is in the outbox, and takes those that are due.
 *
 *   outbox ──▶ waiting ──taken with a lease──▶ called ──2xx──▶ gone, and in the log
 *                 ▲                              └──else──▶ waiting, later each time; after a day failed
 *                 └──────── the lease ran out ────┘
 */
export function createWebhookLoop(services: Services): Loop {
  const { store, log, durations } = services
  const lease = { holder: randomUUID(), leaseMs: durations.webhookLeaseMs }
  return createWorkLoop<DueCall, SettledCall>({
    ...{ name: 'telling webhooks', log, everyMs: lookEveryMs, stopMs },
    take: async (underWay) => {
      const hasMore = await createCalls(store)
      const inFlight = underWay.map(({ work, count }) => ({ appId: work.app_id, webhookId: work.webhook_id, count }))
      const room = perProcess - inFlight.reduce((sum, { count }) => sum + count, 0)
      const work = room > 0 ? await takeCalls(store, { ...lease, inFlight, perWebhook, room }) : []
      return { work, hasMore }
    },
    receiverOf: (due) => `${due.app_id}/${due.webhook_id}`,
    run: (due) => run(services, due),
    settle: (settled) => settleCalls(services, lease.holder, settled),
  })
}

async function run(services: Services, due: DueCall): Promise<SettledCall> {
  const at = services.now()
  const event = { id: due.event_id, type: due.kind, at: due.happened_at, appLabel: due.label, data: due.body }
  const result = await callWebhook(services, { url: due.url, sealedSecret: due.sealed_secret }, event)
  const waitMs = result.isSuccess
    ? 0
    : nextTryMs(due.attempts + 1, result.retryAfterMs, Math.random(), services.durations.webhookRetryMs)
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
