export interface SeededRandom {
  /** From 0 to below 1. */
  next(): number
  isTrue(probability: number): boolean
  between(min: number, max: number): number
  oneOf<T>(choices: readonly T[]): T
  /** Each choice as often as its weight says. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T
  /** Half are below the median; a wider spread has a longer tail. */
  logNormal(median: number, spread: number): number
  /** Waiting for something that comes by chance, once in `mean`. */
  exponential(mean: number): number
}

/** The same numbers for the same seed: Mulberry32 over the seed's FNV-1a hash. */
export function seededRandom(seed: string): SeededRandom {
  let state = 0x811c9dc5
  for (let index = 0; index < seed.length; index++) state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193)
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const positive = () => 1 - next()
  return {
    next,
    isTrue: (probability) => next() < probability,
    between: (min, max) => min + next() * (max - min),
    oneOf: (choices) => choices[Math.floor(next() * choices.length)] as (typeof choices)[number],
    weighted(choices) {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [choice, weight] of choices) {
        left -= weight
        if (left < 0) return choice
      }
      return (choices.at(-1) as (typeof choices)[number])[0]
    },
    logNormal: (median, spread) =>
      median * Math.exp(spread * Math.sqrt(-2 * Math.log(positive())) * Math.cos(2 * Math.PI * next())),
    exponential: (mean) => -Math.log(positive()) * mean,
  }
}
