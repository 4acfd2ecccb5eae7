import type { DraftTest } from './draft-test.ts'

export interface UserPart {
  kind: 'variant' | 'others' | 'control'
  name: string
  /** Percent of all users. */
  percent: number
}

/** Who gets what, in percent of all users. Control comes first, then the test, and the shares are of what remains. */
export function divideUsers({ variants, control = 0, winner }: DraftTest): UserPart[] {
  const reached = 100 - control
  const tested = winner.isOn ? (reached * (winner.testShare ?? 0)) / 100 : reached
  const parts: UserPart[] = variants.map(({ name, share }) => ({
    kind: 'variant',
    name,
    percent: (tested * share) / 100,
  }))
  if (winner.isOn) parts.push({ kind: 'others', name: '', percent: reached - tested })
  if (control > 0) parts.push({ kind: 'control', name: '', percent: control })
  return parts
}
