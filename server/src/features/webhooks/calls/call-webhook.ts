import { realTime } from '#base/clock.ts'
import type { External } from '#base/external.ts'
import { callOnce } from '#base/outbound/call-once.ts'
import type { Span } from '#base/trace/span.ts'
import { currentSpan, isTracing, runAsSpan, startApart } from '#base/trace/tracing.ts'
import { guardWebhookUrl } from '../settings/check-webhook-url.ts'
import { readWebhookAnswer, type WebhookResult } from './read-webhook-answer.ts'
import { type WebhookEventToTell, webhookRequest } from './webhook-request.ts'

export interface CalledWebhook {
  url: string
  sealedSecret: Buffer
}

const defaultTimeoutMs = 10_000
const maxAnswerBytes = 16 * 1024

interface CallContext {
  external: External
  now(): Date
  timeoutMs?: number
}

/** One call. Whatever goes wrong is its result; nothing is thrown. */
export async function callWebhook(
  context: CallContext,
  webhook: CalledWebhook,
  event: WebhookEventToTell,
): Promise<WebhookResult & { tookMs: number }> {
  const startedAt = performance.now()
  const span = isTracing() ? startCall(event) : undefined
  const result = await runAsSpan(span, () => attempt(context, webhook, event, span)).catch(
    (error: Error): WebhookResult => ({ isSuccess: false, detail: error.message.slice(0, 200) }),
  )
  return { ...result, tookMs: Math.round(performance.now() - startedAt) }
}

/** A step of a request only where a test was asked for: what happened has waited in the outbox. */
function startCall({ id, type, appLabel }: WebhookEventToTell): Span | undefined {
  const attributes = { 'peyk.app_id': appLabel, 'peyk.webhook_event': type, 'peyk.webhook_event_id': id }
  return startApart('call webhook', { kind: 'client', parent: currentSpan(), attributes })
}

async function attempt(
  { external, now, timeoutMs = defaultTimeoutMs }: CallContext,
  { url, sealedSecret }: CalledWebhook,
  event: WebhookEventToTell,
  span: Span | undefined,
): Promise<WebhookResult> {
  const guarded = await guardWebhookUrl(external, url)
  if ('refused' in guarded) return { isSuccess: false, detail: `not called: ${guarded.refused}`.slice(0, 200) }
  const { headers, body } = webhookRequest(event, external.secretBox.open(sealedSecret), realTime(now))
  const answer = await callOnce(guarded.url, {
    method: 'POST',
    headers,
    body,
    address: guarded.address,
    localOrigins: guarded.localOrigins,
    timeoutMs,
    maxBytes: maxAnswerBytes,
  })
  const result = readWebhookAnswer(answer, realTime(now))
  if (!result.isSuccess) span?.fail(String(result.status ?? answer.kind))
  return result
}
