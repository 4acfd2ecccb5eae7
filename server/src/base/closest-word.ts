/** The word that was probably meant: at most two letters away, and not more than a third of it. */
export function closestWord(given: string, known: readonly string[]): string | undefined {
  const near = known
    .map((word) => ({ word, distance: distanceOf(given, word) }))
    .filter(
      ({ word, distance }) =>
        distance <= Math.min(2, Math.ceil(word.length / 3)) || (given.length >= 3 && word.startsWith(given)),
    )
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.word
}

function distanceOf(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] as number) + 1, (current[column - 1] as number) + 1))
    }
    previous = current
  }
  return previous[b.length] as number
}
