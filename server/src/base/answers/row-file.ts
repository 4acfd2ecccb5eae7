/** A value of a row; an object is JSON within the file. */
export type Cell = string | number | boolean | null | object

export type FileFormat = 'csv' | 'ndjson' | 'parquet'

/** What the cells of a column are, where they are not null. A time is a text of ISO 8601. */
export type ColumnKind = 'text' | 'time' | 'number' | 'boolean' | 'json'

/** By their names, in the order of the cells. */
export type Columns = Record<string, ColumnKind>

/** Rows that are made while they are read, for a file in one of the forms that there are. */
export class RowFile {
  /** Without its ending. */
  readonly baseName: string
  readonly format: FileFormat
  readonly columns: Columns
  readonly rows: AsyncIterable<readonly Cell[]>

  constructor({ baseName, format, columns, rows }: Pick<RowFile, 'baseName' | 'format' | 'columns' | 'rows'>) {
    this.baseName = baseName
    this.format = format
    this.columns = columns
    this.rows = rows
  }
}
