/** A value of a row; an object is JSON within the file. */
export type Cell = string | number | boolean | null | object

/** Rows that are made while they are read, for a file in one of the forms that there are. */
export class RowFile {
  /** Without its ending. */
  readonly name: string
  readonly format: 'csv' | 'ndjson'
  readonly header: readonly string[]
  readonly rows: AsyncIterable<readonly Cell[]>

  constructor({ name, format, header, rows }: Pick<RowFile, 'name' | 'format' | 'header' | 'rows'>) {
    this.name = name
    this.format = format
    this.header = header
    this.rows = rows
  }
}
