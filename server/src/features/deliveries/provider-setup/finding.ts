import type { Finding as Told } from '@peyk/contract'

/** One thing that was looked at, in plain words, and as a code with its values. */
export type Finding = Told

export interface Examination {
  findings: Finding[]
  /** `unasked`: nothing is known to be wrong, but the provider could not be reached. */
  verdict: 'good' | 'bad' | 'unasked'
  /** What decides; missing where nobody can be asked, so that nothing was checked. */
  decisive: Finding | undefined
}
