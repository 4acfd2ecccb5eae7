export const leastVariants = 2
export const mostVariants = 5

/** Whole percentages that add up to 100, as equal as they can be. */
export function evenShares(count: number): number[] {
  return divide(
    100,
    Array.from({ length: count }, () => 1),
  )
}

/** One share is changed: the others keep their proportions, and none falls below one. */
export function setShare(shares: readonly number[], place: number, wanted: number): number[] {
  const most = 100 - (shares.length - 1)
  const share = Math.min(most, Math.max(1, Math.round(wanted)))
  const others = divide(
    100 - share,
    shares.filter((_, at) => at !== place),
  )
  return [...others.slice(0, place), share, ...others.slice(place)]
}

/** What one had goes to the others. */
export function withoutShare(shares: readonly number[], place: number): number[] {
  return divide(
    100,
    shares.filter((_, at) => at !== place),
  )
}

/** Whole numbers, at least one each, in these proportions. */
function divide(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const free = whole - weights.length
  const exact = weights.map((weight) => Math.max(0, (weight / sum) * whole - 1))
  const scale = free / Math.max(Number.EPSILON, total(exact))
  const parts = exact.map((part) => part * scale)
  const floors = parts.map((part) => Math.floor(part + tiny))
  const byRemainder = parts.map((part, place) => ({ place, left: part - (floors[place] ?? 0) }))
  byRemainder.sort((a, b) => b.left - a.left || a.place - b.place)
  const raised = new Set(byRemainder.slice(0, free - total(floors)).map(({ place }) => place))
  return floors.map((floor, place) => floor + 1 + (raised.has(place) ? 1 : 0))
}

/** Sums of parts may be a hair below a whole number. */
const tiny = 1e-9

function total(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}
