/** One thing that was looked at, in plain words. */
export interface Finding {
  ok: boolean
  text: string
}

export interface Examination {
  findings: Finding[]
  /** `unasked`: nothing is known to be wrong, but the provider could not be reached. */
  verdict: 'good' | 'bad' | 'unasked'
}
