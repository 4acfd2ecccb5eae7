/** Round numbers from zero to at or above the highest value, three to five of them; whole ones for whole values. */
export function ticksUpTo(highest: number): number[] {
  const top = highest > 0 ? highest : 1
  const isWhole = Number.isInteger(top)
  const power = 10 ** Math.floor(Math.log10(top))
  const steps = [0.1, 0.2, 0.25, 0.5, 1, 2, 2.5, 5].map((factor) => Number((factor * power).toPrecision(3)))
  const step = steps.find((one) => top / one <= 4 && (!isWhole || Number.isInteger(one))) ?? power
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => Number((index * step).toPrecision(6)))
}

interface Piece {
  series: number
  day: number
  from: number
  to: number
}

/** Each day's values on top of one another. */
export function stack(
  series: readonly { values: readonly number[] }[],
  days: number,
): { pieces: Piece[]; totals: number[] } {
  const pieces: Piece[] = []
  const totals: number[] = []
  for (let day = 0; day < days; day++) {
    let total = 0
    series.forEach(({ values }, index) => {
      const value = Math.max(0, values[day] ?? 0)
      if (value > 0) pieces.push({ series: index, day, from: total, to: total + value })
      total += value
    })
    totals.push(total)
  }
  return { pieces, totals }
}
