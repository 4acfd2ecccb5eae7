const lineEnd = 10

/** In the text form of COPY each row ends with a line feed; one within a value is written otherwise. */
export function countRows(bytes: Buffer): number {
  let rows = 0
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) rows++
  return rows
}
