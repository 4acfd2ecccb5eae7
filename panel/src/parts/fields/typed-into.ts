/** What somebody typed into a field that showed a text: only the new letters, wherever the caret stood. */
export function typedInto(shown: string, text: string): string {
  const [before, after] = [[...shown], [...text]]
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return after.slice(start, after.length - end).join('')
}
