import type { FileLine, ScannedFile } from './scan-codes.ts'

export interface CodeCounts {
  /** Different codes. */
  codes: number
  repeated: number
  wrong: number
  wrongLines: FileLine[]
}

/** What would be uploaded, with or without the first line. */
export function countCodes({ first, rows, repeated, wrong, wrongLines }: ScannedFile, hasHeader: boolean): CodeCounts {
  const others = { codes: rows - repeated, repeated, wrong, wrongLines }
  if (first === undefined || hasHeader) return others
  if (first.fault !== undefined) return { ...others, wrong: wrong + 1, wrongLines: [first, ...wrongLines] }
  return first.isRepeated ? { ...others, repeated: repeated + 1 } : { ...others, codes: others.codes + 1 }
}
