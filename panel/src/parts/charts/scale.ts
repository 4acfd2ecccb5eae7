/** The next round number at or above: 1, 2, 2.5 or 5 times a power of ten, and halves of it are round too. */
export function niceTop(highest: number): number {
  if (!(highest > 0)) return 2
  const power = 10 ** Math.floor(Math.log10(highest))
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= highest) ?? 10
  const top = factor * power
  return top < 2 ? (highest <= 1 && highest > 0.5 ? 1 : top) : top
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
