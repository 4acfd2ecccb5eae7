const maxCodeLength = 64
const maxBadLines = 10

const codeByte = 1
const lineFeed = 2
const carriageReturn = 3

const kinds = new Uint8Array(256)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-')
  kinds[char.charCodeAt(0)] = codeByte
kinds[0x0a] = lineFeed
kinds[0x0d] = carriageReturn

const byteOrderMark = [0xef, 0xbb, 0xbf]
const nothing = Buffer.alloc(0)

/** How a file is to be read. */
export interface CodeReading {
  /** The first line that is not blank names the column: it is left out. */
  hasHeader?: boolean | undefined
  /** Lines that are not codes are left out, and counted; otherwise the file is refused for them. */
  leaveOutBadLines?: boolean | undefined
}

/**
 * Checks a file of codes piece by piece [promo-codes.md#upload]. What comes out is whole lines that end in LF, without
 * byte order mark and blank lines. A line that is not a code is bad at its first wrong byte, so nothing longer than a
 * code is ever kept; after the first bad line nothing comes out any more, unless bad lines are left out.
 */
export class CodeLines {
  /** The lines that are not blank, without those that are left out. */
  rows = 0
  /** The lines that were left out because they are not codes. */
  leftOut = 0
  /** The numbers of the first ten lines that are not codes. */
  readonly badLines: number[] = []
  private line = 1
  private isLineBad = false
  private isAfterReturn = false
  private markBytes = 0
  private started = nothing
  private isHeaderDue: boolean
  private isInHeader = false
  private readonly leavesOut: boolean

  constructor({ hasHeader = false, leaveOutBadLines = false }: CodeReading = {}) {
    this.isHeaderDue = hasHeader
    this.leavesOut = leaveOutBadLines
  }

  /** The file is refused for its bad lines. */
  get isRefused(): boolean {
    return this.badLines.length > 0 && !this.leavesOut
  }

  /** There is nothing more to learn from this file. */
  get isHopeless(): boolean {
    return this.isRefused && this.badLines.length === maxBadLines
  }

  push(bytes: Buffer): Buffer {
    const out = Buffer.allocUnsafe(this.started.length + bytes.length)
    let end = this.started.copy(out)
    let lineStart = 0
    let index = this.passHeader(bytes, this.skipMark(bytes))
    if (this.isLineBad) index = endOfLine(bytes, index)
    for (; index < bytes.length; index++) {
      const byte = bytes[index] as number
      const kind = kinds[byte]
      if (kind === codeByte && end - lineStart < maxCodeLength) {
        out[end++] = byte
      } else if (kind === lineFeed || kind === carriageReturn) {
        if (end > lineStart) {
          out[end++] = 0x0a
          lineStart = end
          this.endLine(kind, true)
        } else if (kind === lineFeed && this.isAfterReturn) {
          this.isAfterReturn = false
        } else {
          this.endLine(kind, this.isLineBad)
        }
      } else {
        this.recordBadLine()
        end = lineStart
        index = endOfLine(bytes, index) - 1
      }
    }
    this.started = Buffer.from(out.subarray(lineStart, end))
    return this.isRefused ? nothing : out.subarray(0, lineStart)
  }

  /** The last line, when the file does not end with the end of a line. */
  end(): Buffer {
    if (this.markBytes > 0 && this.markBytes < byteOrderMark.length) this.spoilLine()
    if (this.isLineBad || this.started.length > 0) this.countRow()
    return this.isRefused || this.started.length === 0 ? nothing : Buffer.concat([this.started, Buffer.from('\n')])
  }

  private endLine(kind: number, isRow: boolean): void {
    if (isRow) this.countRow()
    this.line++
    this.isLineBad = false
    this.isAfterReturn = kind === carriageReturn
  }

  private countRow(): void {
    if (this.isLineBad && this.leavesOut) this.leftOut++
    else this.rows++
  }

  /** Half a byte order mark belongs to the first line, which may be the header. */
  private spoilLine(): void {
    if (this.isHeaderDue) this.isInHeader = true
    else this.recordBadLine()
  }

  /** Goes to where the line after the header begins; blank lines before it are passed, too. */
  private passHeader(bytes: Buffer, from: number): number {
    let index = from
    while (this.isHeaderDue && index < bytes.length) {
      const kind = kinds[bytes[index] as number]
      if (kind === lineFeed && this.isAfterReturn) {
        this.isAfterReturn = false
        index++
      } else if (kind === lineFeed || kind === carriageReturn) {
        this.isHeaderDue = !this.isInHeader
        this.endLine(kind, false)
        index++
      } else {
        this.isInHeader = true
        this.isAfterReturn = false
        index = endOfLine(bytes, index)
      }
    }
    return index
  }

  private recordBadLine(): void {
    if (this.badLines.length < maxBadLines) this.badLines.push(this.line)
    this.isLineBad = true
    this.isAfterReturn = false
  }

  private skipMark(bytes: Buffer): number {
    let index = 0
    while (this.markBytes < byteOrderMark.length && index < bytes.length) {
      if (bytes[index] === byteOrderMark[this.markBytes]) {
        this.markBytes++
        index++
      } else {
        if (this.markBytes > 0) this.spoilLine()
        this.markBytes = byteOrderMark.length
      }
    }
    return index
  }
}

function endOfLine(bytes: Buffer, from: number): number {
  const ends = [bytes.indexOf(0x0a, from), bytes.indexOf(0x0d, from), bytes.length]
  return Math.min(...ends.filter((end) => end >= 0))
}
