import { createReadStream } from 'node:fs'
import { type ColumnMap, fieldOf } from './column-map.ts'
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

/** The lines of a file, some at a time, however long it is. */
export async function* readLines(file: string, format: ImportFormat, map: ColumnMap): AsyncGenerator<FileLine[]> {
  const text = createReadStream(file, { encoding: 'utf8', highWaterMark: 262_144 })
  if (format === 'csv') yield* readCsv(text, map)
  else yield* readJsonLines(text, map)
}

async function* readCsv(text: AsyncIterable<string>, map: ColumnMap): AsyncGenerator<FileLine[]> {
  const reader = new CsvReader(longestLine)
  let fields: string[] | undefined
  const read = (records: CsvRecord[]): FileLine[] => {
    const rows = fields ? records : records.slice(1)
    fields ??= records[0]?.cells.map((column) => fieldOf(map, column.trim()))
    return rows.map(({ line, cells }) => ({ line, ...readCells(fields as string[], cells) }))
  }
  for await (const part of text) yield read(reader.push(part))
  yield read(reader.end())
  if (!fields) throw new ImportFault('The file is empty: expected a first line with the names of the columns.')
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

async function* readJsonLines(text: AsyncIterable<string>, map: ColumnMap): AsyncGenerator<FileLine[]> {
  let rest = ''
  let line = 0
  const read = (lines: string[]): FileLine[] =>
    lines.flatMap((each) => {
      line++
      return each.trim() === '' ? [] : [{ line, ...readObject(each, map) }]
    })
  for await (const part of text) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() as string
    yield read(lines)
    if (rest.length > longestLine) throw new ImportFault(`Line ${line + 1} is longer than 1 MiB.`)
  }
  yield read([rest])
}

function readObject(text: string, map: ColumnMap): Pick<FileLine, 'fields' | 'fault'> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: 'The line is not JSON.' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: 'The line is not an object.' }
  const named = Object.entries(value).map(([name, each]) => [fieldOf(map, name), each] as const)
  return { fields: Object.fromEntries(named.filter(([field]) => field !== '')) }
}
