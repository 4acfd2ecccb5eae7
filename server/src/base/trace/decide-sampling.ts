import type { SamplerSettings } from './trace-settings.ts'
import type { SpanContext } from './traceparent.ts'

const digits = 13
const whole = 16 ** digits

/**
 * Whether a trace is recorded. By its id alone where nobody has decided already, so that all processes decide alike:
 * its last 52 bits are random, also where the id of a message is that of its trace.
 */
export function decideSampling(
  { ratio, isParentBased }: SamplerSettings,
  traceId: string,
  parent: SpanContext | undefined,
): boolean {
  if (parent && isParentBased) return parent.isSampled
  return Number.parseInt(traceId.slice(-digits), 16) < ratio * whole
}
