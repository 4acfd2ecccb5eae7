import { measureQuietly } from './quiet.ts'

/** One thing that is measured, and a figure of it per round. */
export interface Subject<Measured> {
  name: string
  measure(round: number): Promise<Measured>
}

export interface Rounds<Measured> {
  /** One figure per round, by subject in their order. */
  measured: Map<string, Measured[]>
  /** How much others disturbed each of them. */
  othersCores: Record<string, number[]>
}

/**
 * Measures all subjects in each round, beginning with another one every time: what disturbs the machine for a while
 * disturbs them alike.
 */
export async function runRounds<Measured>(
  rounds: number,
  subjects: Subject<Measured>[],
  show: (figure: Measured) => string,
): Promise<Rounds<Measured>> {
  const measured = new Map<string, Measured[]>(subjects.map((subject) => [subject.name, []]))
  const disturbances: Record<string, number[]> = Object.fromEntries(subjects.map((subject) => [subject.name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < subjects.length; turn++) {
      const subject = subjects[(round + turn) % subjects.length] as Subject<Measured>
      const { figure, othersCores } = await measureQuietly(() => subject.measure(round))
      measured.get(subject.name)?.push(figure)
      disturbances[subject.name]?.push(othersCores ?? Number.NaN)
      const others = othersCores === undefined ? '' : `, others kept ${othersCores.toFixed(2)} cores busy`
      console.log(`  round ${round + 1}: ${subject.name} ${show(figure)}${others}`)
    }
  }
  return { measured, othersCores: disturbances }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Compared within each round, so that a slow moment counts for both; then the middle of these ratios. */
export function medianRatio(ours: readonly number[], other: readonly number[]): number {
  return median(ours.map((value, round) => value / (other[round] ?? Number.NaN)))
}
