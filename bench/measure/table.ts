export type Cell = string | number | undefined

/** A table for a terminal: text to the left, numbers to the right. */
export function printTable(title: string, header: string[], rows: Cell[][]): void {
  const lines = [header, ...rows.map((row) => row.map(showCell))]
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const isText = header.map((_, column) => rows.every((row) => typeof row[column] !== 'number'))
  console.log(`\n${title}`)
  for (const [index, line] of lines.entries()) {
    const cells = line.map((cell, column) =>
      isText[column] ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    console.log(`  ${cells.join('  ').trimEnd()}`)
    if (index === 0) console.log(`  ${widths.map((width) => '─'.repeat(width)).join('  ')}`)
  }
}

function showCell(cell: Cell): string {
  if (cell === undefined) return '–'
  if (typeof cell === 'string') return cell
  if (!Number.isFinite(cell)) return '–'
  if (Math.abs(cell) >= 100) return Math.round(cell).toLocaleString('en-US')
  return cell.toFixed(Math.abs(cell) >= 10 ? 1 : 2)
}
