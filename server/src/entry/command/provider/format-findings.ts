import type { Finding } from '#features/deliveries/provider-setup/finding.ts'

export function formatFindings(findings: readonly Finding[]): string {
  return findings.map(({ ok, text }) => `  ${ok ? 'ok   ' : 'WRONG'}  ${text}`).join('\n')
}
