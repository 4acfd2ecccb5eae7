import { CodeHash, SeenCodes } from './seen-codes.ts'

/** Why a line is not a code. */
export type LineFault = 'columns' | 'quotes' | 'space' | 'long' | 'letters' | 'character'

export interface FileLine {
  line: number
  /** Its beginning. */
  text: string
  fault?: LineFault
}

export interface ScannedFile {
  /** What cannot be read as lines of codes at all. */
  format: 'text' | 'utf-16' | 'spreadsheet'
  /** The first line that is not blank. None of the counts has it. */
  first?: FileLine & { isRepeated: boolean }
  /** The lines after it, as far as they are shown. */
  next: FileLine[]
  rows: number
  repeated: number
  wrong: number
  /** The first of the wrong lines. */
  wrongLines: FileLine[]
}

const keptLines = 20
const keptWrong = 50
const keptBytes = 80
const maxLength = 64
const usualLength = 12

const isCodeByte = new Uint8Array(256)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-') isCodeByte[char.charCodeAt(0)] = 1

const faults: Record<string, LineFault> = {
  ',': 'columns',
  ';': 'columns',
  '\t': 'columns',
  '"': 'quotes',
  ' ': 'space',
}

/** By the first four bytes of a file. */
export function formatOf([a, b, c, d]: Uint8Array): ScannedFile['format'] {
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'utf-16'
  return a === 0x50 && b === 0x4b && c === 3 && d === 4 ? 'spreadsheet' : 'text'
}

/** Reads a file of codes piece by piece, by the rules and with the line numbers of the service. */
export class CodeScan {
  private readonly file: ScannedFile = { format: 'text', next: [], rows: 0, repeated: 0, wrong: 0, wrongLines: [] }
  private readonly seen: SeenCodes
  private readonly hash = new CodeHash()
  private readonly head = new Uint8Array(keptBytes)
  private readonly text = new TextDecoder()
  private length = 0
  private line = 1
  private fault: LineFault | undefined
  private isAfterReturn = false
  private isBegun = false
  private firstHash: [number, number] | undefined

  constructor(fileBytes = 0) {
    this.seen = new SeenCodes(fileBytes / usualLength)
  }

  /** How many lines there are that are not blank. */
  get lines(): number {
    return this.file.rows + this.file.wrong + (this.file.first ? 1 : 0)
  }

  push(bytes: Uint8Array): void {
    let index = this.isBegun ? 0 : this.begin(bytes)
    if (this.file.format !== 'text') return
    for (; index < bytes.length; index++) {
      const byte = bytes[index] as number
      if (byte === 0x0a && this.isAfterReturn) this.isAfterReturn = false
      else if (byte === 0x0a || byte === 0x0d) this.endLine(byte === 0x0d)
      else this.addByte(byte)
    }
  }

  end(): ScannedFile {
    if (this.length > 0) this.endLine(false)
    const { first } = this.file
    if (first && this.firstHash) first.isRepeated = this.seen.has(...this.firstHash)
    return this.file
  }

  /** The first piece has the first four bytes of the file, if it has as many. */
  private begin(bytes: Uint8Array): number {
    this.isBegun = true
    const [a, b, c] = bytes
    this.file.format = formatOf(bytes)
    return a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0
  }

  private addByte(byte: number): void {
    this.isAfterReturn = false
    if (this.length < keptBytes) this.head[this.length] = byte
    this.length++
    if (this.fault !== undefined) return
    if (isCodeByte[byte] !== 1)
      this.fault = byte >= 0x80 ? 'letters' : (faults[String.fromCharCode(byte)] ?? 'character')
    else if (this.length > maxLength) this.fault = 'long'
    else this.hash.add(byte)
  }

  private endLine(isReturn: boolean): void {
    if (this.length > 0) this.addLine()
    this.length = 0
    this.fault = undefined
    this.line++
    this.isAfterReturn = isReturn
  }

  private addLine(): void {
    const { file, fault } = this
    const hash = this.hash.take()
    if (!file.first) {
      file.first = { ...this.readLine(), isRepeated: false }
      if (fault === undefined) this.firstHash = hash
      return
    }
    if (file.next.length < keptLines) file.next.push(this.readLine())
    if (fault === undefined) {
      file.rows++
      if (!this.seen.add(...hash)) file.repeated++
    } else {
      file.wrong++
      if (file.wrongLines.length < keptWrong) file.wrongLines.push(this.readLine())
    }
  }

  private readLine(): FileLine {
    const isCut = this.length > keptBytes
    const text = this.text.decode(this.head.subarray(0, Math.min(this.length, keptBytes)))
    const { line, fault } = this
    return { line, text: isCut ? `${text.replace(/\ufffd+$/, '')}…` : text, ...(fault && { fault }) }
  }
}
