import type { Config } from '#base/config.ts'
import { postSpans, readAnswer } from '#base/trace/span-exporter.ts'
import { type Finding, fault, ok } from './finding.ts'

const nothing = JSON.stringify({ resourceSpans: [] })
const patienceMs = 5_000

/** Whether the collector that traces go to takes them: it is sent none. */
export async function checkCollector({ traces }: Pick<Config, 'traces'>): Promise<Finding[]> {
  if (!traces) return []
  const where = new URL(traces.url)
  const verdict = readAnswer(await postSpans(traces, nothing, patienceMs))
  if (verdict.kind === 'taken') return [ok('collector', `the collector takes traces at ${where.origin}`)]
  return [
    fault(
      'collector-unreachable',
      `The collector at ${where.origin}${where.pathname} does not take traces (${verdict.detail}); the service goes on without.`,
      'See that it runs, that it takes OTLP over HTTP (usually port 4318), and that OTEL_EXPORTER_OTLP_HEADERS has what it asks for.',
    ),
  ]
}
