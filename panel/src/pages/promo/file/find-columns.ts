import { CsvColumn, type Separator } from './csv-column.ts'
import { isCodeWord } from './find-header.ts'

export interface FoundColumns {
  separator: Separator
  /** The first cells of each column. */
  columns: string[][]
  /** The one that seems to hold the codes. */
  suggested: number
}

const separators = ['\t', ';', ','] as const
const lookedAt = 20
const code = /^[A-Za-z0-9-]{1,64}$/

/** The columns of a CSV, by its first lines; undefined when it is one code per line. */
export function findColumns(beginning: Uint8Array): FoundColumns | undefined {
  const text = new TextDecoder().decode(beginning)
  const lines = text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, lookedAt)
  const separator = separators.find((one) => isTable(lines, one))
  if (separator === undefined) {
    return lines.some((line) => /^\s*"/.test(line)) ? { separator, columns: [lines], suggested: 0 } : undefined
  }
  const count = Math.max(...lines.map((line) => countCells(line, separator)))
  const columns = Array.from({ length: count }, (_, column) => readColumn(lines, separator, column))
  return { separator, columns, suggested: suggest(columns) }
}

/** More than half of its lines have several cells. */
function isTable(lines: readonly string[], separator: string): boolean {
  return lines.filter((line) => countCells(line, separator) > 1).length * 2 > lines.length
}

function countCells(line: string, separator: string): number {
  return line.replaceAll(/"(?:[^"]|"")*"/g, '').split(separator).length
}

function readColumn(lines: readonly string[], separator: Separator, column: number): string[] {
  const bytes = new CsvColumn({ separator, column }).push(new TextEncoder().encode(`${lines.join('\n')}\n`))
  return new TextDecoder().decode(bytes).split('\n').slice(0, lines.length)
}

/** By its name; else where most cells are codes, and all different. */
function suggest(columns: readonly string[][]): number {
  const named = columns.findIndex(([head = '']) => isCodeWord(head))
  if (named >= 0) return named
  const scores = columns.map(([, ...cells]) => new Set(cells.filter((cell) => code.test(cell))).size)
  return scores.indexOf(Math.max(...scores))
}
