interface Placed {
  offsetLeft: number
  offsetTop: number
}

/**
 * Where an arrow leads from the place `at`, by where things stand on the screen: so in both directions of writing, and
 * across groups of any length. `above` is beyond the first row; undefined: the key is no arrow.
 */
export function findNeighbour(placed: readonly Placed[], at: number, key: string): number | 'above' | undefined {
  const here = placed[at]
  if (here === undefined) return undefined
  const isRtl = placed.some((one, index) => {
    const next = placed[index + 1]
    return next !== undefined && next.offsetTop === one.offsetTop && next.offsetLeft < one.offsetLeft
  })
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowRight': {
      const isForward = (key === 'ArrowRight') !== isRtl
      return Math.min(placed.length - 1, Math.max(0, at + (isForward ? 1 : -1)))
    }
    case 'ArrowDown': {
      const below = placed.findIndex(({ offsetTop }) => offsetTop > here.offsetTop)
      return below === -1 ? at : nearestInRow(placed, below, here.offsetLeft)
    }
    case 'ArrowUp': {
      const above = placed.findLastIndex(({ offsetTop }) => offsetTop < here.offsetTop)
      return above === -1 ? 'above' : nearestInRow(placed, above, here.offsetLeft)
    }
    case 'Home':
      return 0
    case 'End':
      return placed.length - 1
    default:
      return undefined
  }
}

function nearestInRow(placed: readonly Placed[], some: number, left: number): number {
  const top = placed[some]?.offsetTop
  const distance = (index: number) => Math.abs((placed[index] as Placed).offsetLeft - left)
  return placed.reduce(
    (best, { offsetTop }, index) => (offsetTop === top && distance(index) < distance(best) ? index : best),
    some,
  )
}
