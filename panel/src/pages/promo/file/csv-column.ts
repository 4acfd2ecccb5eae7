/** How the cells of a line are told apart; undefined: there is one. */
export type Separator = ',' | ';' | '\t' | undefined

export interface CsvChoice {
  separator: Separator
  /** Which cell of each line holds the code. */
  column: number
}

const quote = 0x22
const space = 0x20
const lineFeed = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** Takes one column out of a CSV, piece by piece: a line for each line, without quotation marks and spaces around. */
export class CsvColumn {
  /** Lines that have something, but not in this column. */
  empty = 0
  private readonly separator: number
  private readonly column: number
  private cell = 0
  private isQuoted = false
  private isAfterQuote = false
  private isCellBegun = false
  private spaces = 0
  private written = 0
  private isLineBlank = true
  private marks: number | undefined = 0
  private out = new Uint8Array(0)
  private end = 0

  constructor({ separator, column }: CsvChoice) {
    this.separator = separator === undefined ? -1 : separator.charCodeAt(0)
    this.column = column
  }

  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    // A doubled quotation mark and a line without a code get shorter; spaces may be left from the piece before.
    this.out = new Uint8Array(bytes.length + this.spaces + 1)
    this.end = 0
    for (const byte of bytes) if (!this.isMark(byte)) this.take(byte)
    return this.out.slice(0, this.end) as Uint8Array<ArrayBuffer>
  }

  private isMark(byte: number): boolean {
    if (this.marks === undefined) return false
    if (byte === byteOrderMark[this.marks] && this.marks < byteOrderMark.length) {
      this.marks++
      return true
    }
    this.marks = undefined
    return false
  }

  private take(byte: number): void {
    if (this.isQuoted) {
      if (byte === quote) {
        this.isQuoted = false
        this.isAfterQuote = true
      } else this.write(byte === lineFeed || byte === carriageReturn ? space : byte)
    } else if (byte === quote && this.isAfterQuote) {
      this.isQuoted = true
      this.isAfterQuote = false
      this.write(byte)
    } else if (byte === quote && !this.isCellBegun) {
      this.isQuoted = true
      this.isCellBegun = true
      this.isLineBlank = false
    } else if (byte === this.separator) this.endCell()
    else if (byte === lineFeed || byte === carriageReturn) this.endLine(byte)
    else if (byte === space) this.spaces += this.cell === this.column && this.isCellBegun ? 1 : 0
    else this.write(byte)
  }

  /** Spaces count when something follows in the same cell. */
  private write(byte: number): void {
    this.isAfterQuote = false
    this.isCellBegun = true
    this.isLineBlank = false
    if (this.cell !== this.column) return
    for (; this.spaces > 0; this.spaces--) this.out[this.end++] = space
    this.out[this.end++] = byte
    this.written++
  }

  private endCell(): void {
    this.cell++
    this.isCellBegun = false
    this.isAfterQuote = false
    this.spaces = 0
  }

  private endLine(byte: number): void {
    if (!this.isLineBlank && this.written === 0) this.empty++
    this.endCell()
    this.cell = 0
    this.written = 0
    this.isLineBlank = true
    this.out[this.end++] = byte
  }
}
