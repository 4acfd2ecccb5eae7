/**
 * Follows whether codes come in rising order, each once: lines that end in LF, as CodeLines gives them, compared byte
 * by byte, as the C collation does.
 */
export class OrderedCodes {
  private last: Buffer = Buffer.alloc(0)

  /** Whether these go on in order after all before them. Ask no more after the first no. */
  goOn(lines: Buffer): boolean {
    let previous: Buffer = this.last
    let previousStart = 0
    let previousEnd = previous.length
    for (let start = 0; start < lines.length; ) {
      const end = lines.indexOf(0x0a, start)
      if (previous.compare(lines, start, end, previousStart, previousEnd) >= 0) return false
      previous = lines
      previousStart = start
      previousEnd = end
      start = end + 1
    }
    this.last = Buffer.from(previous.subarray(previousStart, previousEnd))
    return true
  }
}
