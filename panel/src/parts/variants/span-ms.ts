const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Of a span such as “4h”, as the service writes it. */
export function spanMs(span: string): number {
  return Number.parseInt(span, 10) * (units[span.slice(-1)] ?? 0)
}
