export type Unit = 'seconds' | 'minutes' | 'hours' | 'days'

export const secondsOf: Record<Unit, number> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }

/** A length of time as it is typed; an empty amount means none. */
export interface Span {
  amount: string
  unit: Unit
}
