import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { ColumnMap } from './column-map.ts'
import { CsvReader, type CsvRecord } from './csv-reader.ts'
import { ImportFault } from './import-fault.ts'

/** A line of the file by its fields, or what keeps it from being read. */
export interface FileLine {
  line: number
  fields?: Record<string, unknown>
  fault?: string
}

export type ImportFormat = 'csv' | 'ndjson'

const longestLine = 1_048_576

/** All columns of a file: for CSV those of its first line, for JSON the names in all lines. */
export async function readColumns(file: string, format: ImportFormat): Promise<string[]> {
  if (format === 'csv') {
    for await (const [head] of readCsvRecords(file)) if (head) return head.cells.map((name) => name.trim())
    throw new ImportFault('The file is empty: expected a first line with the column names.')
  }
  const names = new Set<string>()
  for await (const values of readJsonLines(file))
    for (const { value } of values) for (const name of Object.keys(value ?? {})) names.add(name)
  return [...names]
}

/** Reads the lines of a file of any length, some at a time. `fields` has all of its columns. */
export async function* readLines(file: string, format: ImportFormat, fields: ColumnMap): AsyncGenerator<FileLine[]> {
  if (format === 'csv') yield* readCsvLines(file, fields)
  else
    for await (const values of readJsonLines(file))
      yield values.map(({ line, value, fault }) => (value ? { line, fields: rename(value, fields) } : { line, fault }))
}

async function* readCsvLines(file: string, fields: ColumnMap): AsyncGenerator<FileLine[]> {
  let head: string[] | undefined
  for await (const records of readCsvRecords(file)) {
    const rows = head ? records : records.slice(1)
    head ??= records[0]?.cells.map((name) => fields.get(name.trim()) as string)
    yield rows.map(({ line, cells }) => ({ line, ...readCells(head as string[], cells) }))
  }
}

async function* readCsvRecords(file: string): AsyncGenerator<CsvRecord[]> {
  const reader = new CsvReader(longestLine)
  for await (const part of readText(file)) yield reader.push(part)
  yield reader.end()
}

const partBytes = 262_144

/** Exports are often compressed. The first bytes show that, whatever the file is called. */
async function* readText(file: string): AsyncGenerator<string> {
  const bytes = createReadStream(file, { highWaterMark: partBytes })
  const kind = await readKind(file)
  if (kind === 'zip') throw new ImportFault('The file is a ZIP archive. Unpack it and import the file inside.')
  // The loop below receives errors of both streams.
  const content = kind === 'gzip' ? pipeline(bytes, createGunzip({ chunkSize: partBytes }), () => {}) : bytes
  content.setEncoding('utf8')
  try {
    yield* content
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (/^Z_|^ERR_ZLIB/.test(code)) throw new ImportFault(`The file cannot be decompressed: ${message}.`)
    throw error
  }
}

async function readKind(file: string): Promise<'gzip' | 'zip' | 'text'> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(4) })
    const start = buffer.toString('latin1')
    if (start.startsWith('\x1f\x8b')) return 'gzip'
    return start === 'PK\x03\x04' ? 'zip' : 'text'
  } finally {
    await handle.close()
  }
}

function readCells(fields: readonly string[], cells: readonly string[]): Pick<FileLine, 'fields' | 'fault'> {
  if (cells.length !== fields.length)
    return { fault: `The line has ${cells.length} cells, and the first line ${fields.length}.` }
  const named = fields.flatMap((field, index) => (field === '' ? [] : [[field, plainCell(cells[index] as string)]]))
  return { fields: Object.fromEntries(named) }
}

/** Exports put a mark before what a spreadsheet would take for a formula. */
function plainCell(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell
}

interface JsonLine {
  line: number
  value?: object
  fault: string
}

async function* readJsonLines(file: string): AsyncGenerator<JsonLine[]> {
  let rest = ''
  let line = 0
  const read = (lines: string[]): JsonLine[] =>
    lines.flatMap((each) => {
      line++
      return each.trim() === '' ? [] : [{ line, fault: '', ...readObject(each) }]
    })
  for await (const part of readText(file)) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() as string
    yield read(lines)
    if (rest.length > longestLine) throw new ImportFault(`Line ${line + 1} is longer than 1 MiB.`)
  }
  yield read([rest])
}

function readObject(text: string): { value: object } | { fault: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: 'The line is not JSON.' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: 'The line is not an object.' }
  return { value }
}

function rename(value: object, fields: ColumnMap): Record<string, unknown> {
  const named = Object.entries(value).map(([name, each]) => [fields.get(name), each] as const)
  return Object.fromEntries(named.filter(([field]) => field !== undefined && field !== ''))
}
