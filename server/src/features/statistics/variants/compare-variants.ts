import type { Trial } from '../../deliveries/variants/pick-winner.ts'
import { betaDensity, betaUpTo } from './beta.ts'

export interface Interval {
  from: number
  to: number
}

/** The 97.5 % point of the normal distribution: intervals are of 95 %. */
const z = 1.959_963_984_540_054

/** Wilson's interval of a rate. It stays between 0 and 1, also where nobody or everybody did it. */
export function wilsonInterval({ given, reached }: Trial): Interval {
  if (given === 0) return { from: 0, to: 1 }
  const rate = reached / given
  const middle = rate + (z * z) / (2 * given)
  const half = z * Math.sqrt((rate * (1 - rate)) / given + (z * z) / (4 * given * given))
  const scale = 1 + (z * z) / given
  return { from: Math.max(0, (middle - half) / scale), to: Math.min(1, (middle + half) / scale) }
}

const steps = 2_000
const leftOut = 1e-12

/**
 * How probable it is of each that its rate is the highest, given what was seen, when every rate is as likely as any other
 * before: ∫ of the density of its posterior, times the probabilities that all others are below. By Simpson's rule over
 * where its posterior has any weight, so that the same numbers always give the same answer.
 */
export function chancesOfBeingBest(trials: readonly Trial[]): number[] {
  const posteriors = trials.map(({ given, reached }) => ({ a: 1 + reached, b: 1 + given - reached }))
  const chances = posteriors.map((own, index) => {
    const others = posteriors.filter((_, at) => at !== index)
    const { from, to } = weightOf(own)
    return integrate(from, to, (x) =>
      others.reduce((product, { a, b }) => product * betaUpTo(x, a, b), betaDensity(x, own.a, own.b)),
    )
  })
  const sum = chances.reduce((all, chance) => all + chance, 0)
  return chances.map((chance) => chance / sum)
}

/** Between where a posterior has all but a trace of its weight: that of few trials is far from symmetric. */
function weightOf({ a, b }: { a: number; b: number }): Interval {
  return { from: quantile(leftOut, a, b), to: quantile(1 - leftOut, a, b) }
}

function quantile(chance: number, a: number, b: number): number {
  let [from, to] = [0, 1]
  for (let step = 0; step < 60; step++) {
    const middle = (from + to) / 2
    if (betaUpTo(middle, a, b) < chance) from = middle
    else to = middle
  }
  return (from + to) / 2
}

function integrate(from: number, to: number, f: (x: number) => number): number {
  const width = (to - from) / steps
  let sum = f(from) + f(to)
  for (let index = 1; index < steps; index++) sum += f(from + index * width) * (index % 2 === 1 ? 4 : 2)
  return (sum * width) / 3
}

/**
 * By how much the rate is higher than that of those who got nothing, as a share of it, with the interval of the ratio
 * (Katz). Undefined where one of them had nobody who did it: then there is no ratio.
 */
export function liftOver(control: Trial, { given, reached }: Trial): (Interval & { lift: number }) | undefined {
  if (control.reached === 0 || reached === 0) return undefined
  const ratio = reached / given / (control.reached / control.given)
  const deviation = Math.sqrt(1 / reached - 1 / given + 1 / control.reached - 1 / control.given)
  return {
    lift: ratio - 1,
    from: ratio * Math.exp(-z * deviation) - 1,
    to: ratio * Math.exp(z * deviation) - 1,
  }
}
