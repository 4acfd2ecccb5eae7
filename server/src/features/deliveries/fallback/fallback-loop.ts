import type { Context } from '#base/context.ts'
import type { Loop } from '#base/loop.ts'
import type { Span } from '#base/trace/span.ts'
import { isTracing, runInSpan } from '#base/trace/tracing.ts'
import { createWorkLoop } from '#base/work-loop.ts'
import { pauseProvider } from '../../accounts/providers/pause-provider.ts'
import { startMessageSpan } from '../../messages/message-traces.ts'
import { PendingTexts } from '../../messages/rendering/pending-texts.ts'
import type { SmsOutcome, SmsProvider } from '../providers/sms/sms-outcome.ts'
import { giveUpLost, type SettledSms, settleSms } from './settle-store.ts'
import { type SmsToSend, takeFallbacks } from './take-fallbacks.ts'

type Services = Pick<Context, 'store' | 'now' | 'log' | 'external'>

const lookEveryMs = 1_000
const perApp = 20
const stopMs = 8_000
const pausedSeconds = 60

/**
 * [sending.md#sms-fallback] Sends the SMS of messages that no device has received in time, each at most once: 'sending'
 * is committed before the gateway is called, and what is found in it later is never sent again.
 *
 *   waiting ──receipt, or the message cancelled──▶ cancelled
 *      │  ▲──the gateway took nothing, or is paused──┐
 *      ├──due, counted for the day──▶ sending ──▶ sent | refused | unknown
 *      └──due──▶ expired | no-provider | no-phone | refused | over-limit
 */
export function createFallbackLoop(services: Services): Loop {
  const { store, log } = services
  const late = { texts: new PendingTexts(log), onReady: () => loop.wake() }
  const loop = createWorkLoop<SmsToSend, SettledSms>({
    ...{ name: 'sending SMS', log, everyMs: lookEveryMs, stopMs },
    take: async (underWay) => {
      await giveUpLost(store)
      const inFlight = new Map(underWay.map(({ work, count }) => [work.appId, count]))
      const { sends, moved } = await takeFallbacks(services, { perApp, inFlight }, late)
      return { work: sends, hasMore: moved > 0 }
    },
    receiverOf: ({ appId }) => String(appId),
    run: (sms) => sendSms(services, sms),
    settle: (settled) => settleSms(store, settled),
  })
  return loop
}

async function sendSms(services: Services, sms: SmsToSend): Promise<SettledSms> {
  const { appId, messageId, userId, reference, phone: to, text } = sms
  const key = { appId, messageId, userId, reference, retrySeconds: 0 }
  const span = isTracing() ? startSms(sms) : undefined
  const provider = sms.gateway.provider as SmsProvider
  const outcome = await runInSpan(span, () => provider.send({ to, text, reference })).catch(
    (error: Error): SmsOutcome => ({ kind: 'unknown', detail: error.message }),
  )
  if (span) endSms(span, outcome)
  const detail = outcome.detail?.slice(0, 200) ?? null
  switch (outcome.kind) {
    case 'accepted':
      return { ...key, state: 'sent', detail }
    case 'later':
      return { ...key, state: 'waiting', detail, retrySeconds: outcome.retryAfterMs / 1_000 }
    case 'paused':
      await pauseSms(services, sms, outcome.detail)
      return { ...key, state: 'waiting', detail, retrySeconds: pausedSeconds }
    default:
      return { ...key, state: outcome.kind, detail }
  }
}

function startSms({ appLabel, messageId }: SmsToSend): Span | undefined {
  return startMessageSpan('send sms', messageId, {
    kind: 'client',
    attributes: { 'peyk.app_id': appLabel, 'peyk.provider': 'sms' },
  })
}

function endSms(span: Span, { kind }: SmsOutcome): void {
  span.set({ 'peyk.outcome': kind })
  if (kind !== 'accepted') span.fail(kind)
  span.end()
}

async function pauseSms(services: Services, { appId, appLabel, gateway }: SmsToSend, reason: string): Promise<void> {
  const app = { id: appId, label: appLabel }
  const version = gateway.version === undefined ? {} : { version: gateway.version }
  await pauseProvider({ ...services, app }, { provider: 'sms', reason, ...version }).catch((error) =>
    services.log.error({ err: error }, 'SMS of an app could not be paused'),
  )
}
