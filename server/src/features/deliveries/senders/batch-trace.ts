import type { Span } from '#base/trace/span.ts'
import { startApart } from '#base/trace/tracing.ts'
import { startMessageSpan } from '../../messages/message-traces.ts'
import type { Outcome, ProviderName } from '../provider.ts'

interface TracedBatch {
  appLabel: string
  messageId: string
  lane: string
  attempts: number
  installations: number
}

/** Of a large batch the first calls say enough; all of them are counted. */
const mostCalls = 20

/** Undefined unless this batch is traced. */
export function startBatchTrace(batch: TracedBatch): BatchTrace | undefined {
  const span = startMessageSpan('dispatch', batch.messageId, {
    kind: 'consumer',
    attributes: {
      'peyk.app_id': batch.appLabel,
      'peyk.lane': batch.lane,
      'peyk.attempt': batch.attempts,
      'peyk.installations': batch.installations,
    },
  })
  return span && new BatchTrace(span)
}

/** A batch from when this process has it until its results are stored, with a step for each call of a provider. */
export class BatchTrace {
  readonly span: Span
  private calls = 0
  private readonly outcomes = new Map<string, number>()

  constructor(span: Span) {
    this.span = span
  }

  startCall(provider: ProviderName): Span | undefined {
    this.calls++
    if (this.calls > mostCalls) return undefined
    const attributes = { 'peyk.provider': provider }
    return startApart(`send ${provider}`, { kind: 'client', parent: this.span, attributes })
  }

  endCall(call: Span | undefined, outcome: Outcome): void {
    const wasWithdrawn = outcome.kind === 'later' && outcome.wasWithdrawn === true
    const word = wasWithdrawn ? 'withdrawn' : outcome.kind
    this.outcomes.set(word, (this.outcomes.get(word) ?? 0) + 1)
    if (!call) return
    call.set({ 'peyk.outcome': word })
    if (word !== 'accepted' && !wasWithdrawn) call.fail(word)
    call.end()
  }

  end(isLost: boolean): void {
    for (const [outcome, count] of this.outcomes) this.span.set({ [`peyk.outcomes.${outcome}`]: count })
    if (isLost) this.span.fail('lease-lost')
    this.span.end()
  }
}
