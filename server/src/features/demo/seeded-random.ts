export interface SeededRandom {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from min to max, both included. */
  between(min: number, max: number): number
  isTrue(probability: number): boolean
  oneOf<T>(choices: readonly T[]): T
  /** Each choice as often as its weight says. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T
}

/** Mulberry32: the same numbers for the same seed, so that everybody's demo is the same. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    between,
    isTrue: (probability) => next() < probability,
    oneOf: (choices) => choices[between(0, choices.length - 1)] as (typeof choices)[number],
    weighted(choices) {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [choice, weight] of choices) {
        left -= weight
        if (left < 0) return choice
      }
      return (choices.at(-1) as (typeof choices)[number])[0]
    },
  }
}
