/** Where an item of a day stands beside those that it would cover: the first of three, say. */
export interface Lane {
  lane: number
  lanes: number
}

/** Items by their first minute, each so many minutes high: those that would cover one another stand side by side. */
export function layOut(starts: readonly number[], height: number): Lane[] {
  const placed = starts.map((start, index) => ({ start, index })).toSorted((a, b) => a.start - b.start)
  const result: Lane[] = starts.map(() => ({ lane: 0, lanes: 1 }))
  let ends: number[] = []
  let group: number[] = []
  const close = () => {
    for (const index of group) (result[index] as Lane).lanes = ends.length
    ends = []
    group = []
  }
  for (const { start, index } of placed) {
    if (ends.every((end) => end <= start)) close()
    const free = ends.findIndex((end) => end <= start)
    const lane = free === -1 ? ends.length : free
    ends[lane] = start + height
    group.push(index)
    ;(result[index] as Lane).lane = lane
  }
  close()
  return result
}
