import type { Finding } from '../../features/deliveries/doctor/finding.ts'

export function formatFindings(findings: readonly Finding[]): string {
  return findings.map(({ ok, text }) => `  ${ok ? 'ok   ' : 'WRONG'}  ${text}`).join('\n')
}
