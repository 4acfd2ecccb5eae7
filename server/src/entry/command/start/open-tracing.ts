import { Counter, Gauge, type Registry } from 'prom-client'
import { useTracer } from '#base/trace/tracing.ts'
import { readVersion } from '../read-version.ts'
import type { Start } from './running.ts'

const flushMs = 3_000

/** Where the settings say where traces go: from here on they are made. Answers how to show how many went. */
export async function openTracing(
  { config: { traces }, log, cleanup }: Pick<Start, 'config' | 'log' | 'cleanup'>,
  now: () => Date,
): Promise<((registry: Registry) => void) | undefined> {
  if (!traces) return undefined
  const { SpanTracer } = await import('#base/trace/span-tracer.ts')
  const tracer = new SpanTracer(traces, { log, now, version: await readVersion() })
  const stop = useTracer(tracer)
  cleanup.add({
    what: 'Sending the last traces',
    limitMs: flushMs + 1_000,
    run: async () => {
      stop()
      await tracer.close(flushMs)
    },
  })
  log.info({ collector: new URL(traces.url).origin }, 'requests are traced')
  return (registry) => addTraceMetrics(registry, tracer)
}

function addTraceMetrics(
  registry: Registry,
  tracer: {
    readonly counts: Readonly<Record<'exported' | 'dropped' | 'failed', number>>
    readonly countWaiting: number
  },
): void {
  new Counter({
    name: 'peyk_trace_spans_total',
    help: 'Spans of this process: exported, dropped for want of room, or failed because the collector did not take them.',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(tracer.counts)) this.inc({ result }, count)
    },
  })
  new Gauge({
    name: 'peyk_trace_spans_waiting',
    help: 'Spans of this process that wait to be sent to the collector.',
    registers: [registry],
    collect() {
      this.set(tracer.countWaiting)
    },
  })
}
