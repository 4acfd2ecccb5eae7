import type { TableShape } from './backup-header.ts'

export interface Reference {
  from: string
  to: string
}

/** Those that others refer to come first, so that each row finds what it refers to; else in the order of their names. */
export function orderTables(tables: readonly TableShape[], references: readonly Reference[]): TableShape[] {
  const left = tables.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const ordered: TableShape[] = []
  while (left.length > 0) {
    const waits = ({ name }: TableShape) =>
      references.some(({ from, to }) => from === name && to !== name && left.some((each) => each.name === to))
    const index = left.findIndex((table) => !waits(table))
    if (index < 0) throw new Error(`the tables ${left.map(({ name }) => name).join(', ')} refer to one another`)
    ordered.push(...left.splice(index, 1))
  }
  return ordered
}
