/** A table as it was copied: the columns stand in the order of its rows. */
export interface TableShape {
  name: string
  columns: string[]
}

export interface Partition {
  name: string
  parent: string
  /** As PostgreSQL writes it: FOR VALUES FROM ('…') TO ('…'), or DEFAULT. */
  bound: string
}

/** Where the numbers of a column go on. */
export interface NumberedColumn {
  table: string
  column: string
  last: string
  isCalled: boolean
}

/** What stands at the beginning of a backup. */
export interface BackupHeader {
  madeAt: string
  /** The version of the schema: what had been applied. */
  migrations: string[]
  tables: TableShape[]
  partitions: Partition[]
  numbers: NumberedColumn[]
  /** One stored secret for every key that secrets were sealed with, as base64: by them a restore sees whether it has the keys. */
  sealed: string[]
}

const partitionName = /^[a-z_]+_(\d{6}|other)$/
const partitionBound = /^(DEFAULT|FOR VALUES FROM \('[0-9a-f-]{36}'\) TO \('[0-9a-f-]{36}'\))$/

/** Undefined when it is none. Names of tables and columns are compared with those of the schema later. */
export function readHeader(value: unknown): BackupHeader | undefined {
  const { madeAt, migrations, tables, partitions, numbers, sealed } = fieldsOf(value)
  const isRight =
    typeof madeAt === 'string' &&
    !Number.isNaN(Date.parse(madeAt)) &&
    isListOf(migrations, isText) &&
    isListOf(tables, (each) => isText(each.name) && isListOf(each.columns, isText)) &&
    isListOf(
      partitions,
      (each) => matches(each.name, partitionName) && isText(each.parent) && matches(each.bound, partitionBound),
    ) &&
    isListOf(numbers, (each) => isText(each.table) && isText(each.column) && matches(each.last, /^\d+$/)) &&
    isListOf(sealed, isText)
  return isRight ? (value as BackupHeader) : undefined
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function matches(value: unknown, form: RegExp): boolean {
  return isText(value) && form.test(value)
}

function isListOf(value: unknown, isRight: (each: Record<string, unknown> & string) => boolean): boolean {
  return (
    Array.isArray(value) &&
    value.every((each) => (isText(each) ? isRight(each as never) : isRight(fieldsOf(each) as never)))
  )
}
