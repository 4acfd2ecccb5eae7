/** What is known of a span elsewhere, or of one that others are to belong to. */
export interface SpanContext {
  /** 32 digits of hexadecimal. */
  readonly traceId: string
  /** 16 of them. */
  readonly spanId: string
  readonly isSampled: boolean
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const nothing = /^0+$/

/** [W3C Trace Context] What cannot be read counts as if it were not there; versions to come may have more behind. */
export function readTraceparent(header: unknown): SpanContext | undefined {
  if (typeof header !== 'string' || header.length > 512) return undefined
  const [, version, traceId, spanId, flags, rest] = form.exec(header) ?? []
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (nothing.test(traceId) || nothing.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
