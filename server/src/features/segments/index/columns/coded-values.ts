import { grow } from './grow.ts'

/** A column of more different values is not kept: whoever asks for one of them is answered by an index of PostgreSQL. */
export const mostValues = 100_000

/** Texts, or lists of texts, each once, with a code from 1 on; and for each place the code of what is there, or 0. */
export class CodedValues<Value extends string | readonly string[]> {
  /** By code; 0 is no value. */
  readonly values: (Value | undefined)[] = [undefined]
  /** By place. */
  codes: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> = new Uint8Array(0)
  /** False when there were too many different values. */
  isKept = true
  private readonly codeOf = new Map<string, number>()

  set(place: number, value: Value | undefined): void {
    if (!this.isKept) return
    const code = value === undefined ? 0 : this.encode(value)
    if (code > mostValues) {
      this.giveUp()
      return
    }
    if (code >= 2 ** (this.codes.BYTES_PER_ELEMENT * 8)) {
      this.codes = this.codes.BYTES_PER_ELEMENT === 1 ? new Uint16Array(this.codes) : new Uint32Array(this.codes)
    }
    this.codes = grow(this.codes, place + 1)
    this.codes[place] = code
  }

  /** 1 for each code whose value passes. */
  judge(passes: (value: Value) => boolean): Uint8Array {
    return Uint8Array.from(this.values, (value) => (value !== undefined && passes(value) ? 1 : 0))
  }

  private encode(value: Value): number {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const known = this.codeOf.get(text)
    if (known !== undefined) return known
    const code = this.values.length
    this.values.push(value)
    this.codeOf.set(text, code)
    return code
  }

  private giveUp(): void {
    this.isKept = false
    this.codes = new Uint8Array(0)
    this.values.length = 1
    this.codeOf.clear()
  }
}
