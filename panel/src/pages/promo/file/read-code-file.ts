import { CsvColumn } from './csv-column.ts'
import { type FoundColumns, findColumns } from './find-columns.ts'
import { CodeScan, formatOf, type ScannedFile } from './scan-codes.ts'

const sliceBytes = 512 * 1024

/** What the service takes. */
export const maxFileBytes = 256 * 1024 * 1024
export const maxRows = 10_000_000

export class FileTooLarge extends Error {}

/** A file with one code per line, whichever it was before. */
export interface CodeFile {
  scanned: ScannedFile
  /** What is uploaded. */
  codes: Blob
  /** Of a CSV. */
  columns?: FoundColumns & { chosen: number }
  /** Lines of a CSV that have nothing in its column. */
  empty: number
}

export interface ReadOptions {
  /** Of a CSV; the one that seems to hold the codes by default. */
  column?: number | undefined
  signal: AbortSignal
  onProgress(share: number): void
}

/** Reads a file of codes, or a column of a CSV. Quotation marks may come late: then it is read as a CSV after all. */
export async function readCodeFile(file: Blob, options: ReadOptions): Promise<CodeFile> {
  if (file.size > maxFileBytes) throw new FileTooLarge()
  const beginning = new Uint8Array(await file.slice(0, sliceBytes).arrayBuffer())
  const columns = formatOf(beginning) === 'text' ? findColumns(beginning) : undefined
  const read = await readSlices(file, columns, options)
  const isQuoted = columns === undefined && read.scanned.wrongLines.some(({ fault }) => fault === 'quotes')
  return isQuoted ? readSlices(file, { separator: undefined, columns: [[]], suggested: 0 }, options) : read
}

/** Slice by slice: between two of them the page goes on. */
async function readSlices(
  file: Blob,
  columns: FoundColumns | undefined,
  { column, signal, onProgress }: ReadOptions,
): Promise<CodeFile> {
  const chosen = column ?? columns?.suggested ?? 0
  const csv = columns && new CsvColumn({ separator: columns.separator, column: chosen })
  const pieces: Blob[] = []
  const scan = new CodeScan(file.size)
  for (let start = 0; start < file.size; start += sliceBytes) {
    const slice = await file.slice(start, start + sliceBytes).arrayBuffer()
    // The page has its turn, also where the slice is there at once.
    await new Promise((resolve) => setTimeout(resolve))
    signal.throwIfAborted()
    const bytes = csv ? csv.push(new Uint8Array(slice)) : new Uint8Array(slice)
    if (csv) pieces.push(new Blob([bytes]))
    scan.push(bytes)
    if (scan.lines > maxRows + 1) throw new FileTooLarge()
    onProgress(Math.min(1, (start + sliceBytes) / file.size))
  }
  const scanned = scan.end()
  return {
    ...{ scanned, codes: csv ? new Blob(pieces) : file, empty: csv?.empty ?? 0 },
    ...(columns && { columns: { ...columns, chosen } }),
  }
}
