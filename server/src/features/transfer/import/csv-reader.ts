import { ImportFault } from './import-fault.ts'

export interface CsvRecord {
  /** Of its first line, counted from 1. */
  line: number
  cells: string[]
}

/** RFC 4180, piece by piece: quotation marks, doubled ones within them, and lines within them. The separator is that of the first line. */
export class CsvReader {
  private readonly longest: number
  private separator = ','
  private isBegun = false
  private rest = ''
  private line = 1

  constructor(longest: number) {
    this.longest = longest
  }

  push(text: string): CsvRecord[] {
    this.rest += text
    if (!this.isBegun) {
      const end = this.rest.search(/[\r\n]/)
      if (end < 0 && this.rest.length < this.longest) return []
      this.begin(end)
    }
    return this.readRecords(false)
  }

  end(): CsvRecord[] {
    if (!this.isBegun) this.begin(-1)
    return this.readRecords(true)
  }

  private begin(end: number): void {
    this.isBegun = true
    this.rest = this.rest.replace(/^\ufeff/, '')
    const head = end < 0 ? this.rest : this.rest.slice(0, end)
    const count = (sign: string) => head.split(sign).length
    this.separator = [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
  }

  private readRecords(isEnd: boolean): CsvRecord[] {
    const records: CsvRecord[] = []
    let from = 0
    for (;;) {
      const found = this.readRecord(from, isEnd)
      if (!found) break
      if (found.cells.some((cell) => cell !== '')) records.push({ line: this.line, cells: found.cells })
      this.line += found.lines
      from = found.end
    }
    this.rest = this.rest.slice(from)
    if (this.rest.length > this.longest)
      throw new ImportFault(`Line ${this.line} does not end: is a quotation mark missing?`)
    return records
  }

  /** Undefined: it is not all there yet. */
  private readRecord(from: number, isEnd: boolean): { cells: string[]; end: number; lines: number } | undefined {
    const { rest, separator } = this
    if (from >= rest.length) return undefined
    const cells: string[] = []
    let cell = ''
    let isQuoted = false
    let lines = 0
    for (let at = from; at < rest.length; at++) {
      const sign = rest[at] as string
      if (isQuoted) {
        if (sign === '"') {
          // The next sign says whether it ends here.
          if (at + 1 === rest.length && !isEnd) return undefined
          if (rest[at + 1] === '"') cell += rest[at++]
          else isQuoted = false
        } else {
          if (sign === '\n') lines++
          cell += sign
        }
      } else if (sign === '"' && cell === '') isQuoted = true
      else if (sign === separator) {
        cells.push(cell)
        cell = ''
      } else if (sign === '\n') return { cells: [...cells, cell], end: at + 1, lines: lines + 1 }
      else if (sign !== '\r') cell += sign
    }
    return isEnd ? { cells: [...cells, cell], end: rest.length, lines: lines + 1 } : undefined
  }
}
