import {
  isNull,
  isUnchanged,
  readDouble,
  readInteger,
  readMs,
  readNumeric,
  readText,
  readTexts,
  type Tuple,
} from '#base/store/replication/tuple.ts'
import type { AttributeChange } from './columns/attribute-facts.ts'
import type { CounterChange } from './columns/counter-facts.ts'
import type { InstallationChange, SegmentData } from './segment-data.ts'

/** Thrown where an update leaves out a value that is not known here. The index is filled anew. */
export class ValueLeftOut extends Error {}

/** A row of a table, by the positions of the columns that were asked for. */
export class Row {
  tuple!: Tuple
  /** Where in the tuple each column is. */
  private readonly at: readonly number[]

  constructor(at: readonly number[]) {
    this.at = at
  }

  private has(column: number): boolean {
    const length = this.tuple.lengths[this.place(column)] as number
    if (length === isUnchanged) throw new ValueLeftOut('An update left out a value.')
    return length !== isNull
  }

  isLeftOut(column: number): boolean {
    return this.tuple.lengths[this.place(column)] === isUnchanged
  }

  isNull(column: number): boolean {
    return !this.has(column)
  }

  integer(column: number): number {
    return this.has(column) ? readInteger(this.tuple, this.place(column)) : 0
  }

  ms(column: number): number {
    return this.has(column) ? readMs(this.tuple, this.place(column)) : Number.NaN
  }

  double(column: number): number | undefined {
    return this.has(column) ? readDouble(this.tuple, this.place(column)) : undefined
  }

  numeric(column: number): number | undefined {
    return this.has(column) ? readNumeric(this.tuple, this.place(column)) : undefined
  }

  text(column: number): string {
    return this.has(column) ? readText(this.tuple, this.place(column)) : ''
  }

  optionalText(column: number): string | undefined {
    return this.has(column) ? readText(this.tuple, this.place(column)) : undefined
  }

  texts(column: number): readonly string[] | undefined {
    return this.has(column) ? readTexts(this.tuple, this.place(column)) : undefined
  }

  private place(column: number): number {
    return this.at[column] as number
  }
}

export interface FollowedTable {
  name: string
  /** `app_id` is the first; those of the key are next. */
  columns: readonly string[]
  put(data: SegmentData, row: Row): void
  remove(data: SegmentData, row: Row): void
}

const attributeColumns = ['name', 'kind', 'number', 'text', 'list']

/** What rules ask for. A rule of a new kind may need a further table or column here; until then it is NotKept. */
export const followedTables: readonly FollowedTable[] = [
  {
    name: 'installations',
    columns: [
      ...['app_id', 'installation_no', 'user_no', 'uninstalled_at', 'launch_count', 'installed_at', 'launched_at'],
      ...[
        'created_at',
        'device_type',
        'client_version_key',
        'os_version_key',
        'language',
        'time_zone',
        'subscriptions',
      ],
    ],
    put: (data, row) => data.putInstallation(row.integer(1), readInstallation(row)),
    remove: (data, row) => data.removeInstallation(row.integer(1)),
  },
  {
    name: 'user_tags',
    columns: ['app_id', 'user_no', 'tag', 'value'],
    put: (data, row) => {
      if (!row.isLeftOut(3)) data.putTag(row.integer(1), row.text(2), row.optionalText(3))
    },
    remove: (data, row) => data.removeTag(row.integer(1), row.text(2)),
  },
  {
    name: 'user_attributes',
    columns: ['app_id', 'user_no', ...attributeColumns],
    put: (data, row) => data.putUserAttribute(row.integer(1), row.text(2), readAttribute(row)),
    remove: (data, row) => data.removeUserAttribute(row.integer(1), row.text(2)),
  },
  {
    name: 'installation_attributes',
    columns: ['app_id', 'installation_no', ...attributeColumns],
    put: (data, row) => data.putOwnAttribute(row.integer(1), row.text(2), readAttribute(row)),
    remove: (data, row) => data.removeOwnAttribute(row.integer(1), row.text(2)),
  },
  {
    name: 'event_counters',
    columns: [
      ...['app_id', 'installation_no', 'event_key', 'count', 'first_at', 'last_at'],
      ...['value_count', 'value_sum', 'value_min', 'value_max', 'value_last'],
    ],
    put: (data, row) => data.putCounter(row.integer(1), row.text(2), readCounter(row)),
    remove: (data, row) => data.removeCounter(row.integer(1), row.text(2)),
  },
]

function readInstallation(row: Row): InstallationChange {
  return {
    user_no: row.integer(2),
    isThere: row.isNull(3),
    launch_count: row.integer(4),
    times: { installed_at: row.ms(5), launched_at: row.ms(6), created_at: row.ms(7) },
    texts: {
      device_type: row.text(8),
      client_version_key: row.optionalText(9),
      os_version_key: row.optionalText(10),
      language: row.optionalText(11),
      time_zone: row.optionalText(12),
    },
    ...(!row.isLeftOut(13) && { subscriptions: row.texts(13) ?? [] }),
  }
}

function readAttribute(row: Row): AttributeChange {
  return {
    kind: row.text(3),
    number: row.double(4),
    ...(!row.isLeftOut(5) && { text: row.optionalText(5) }),
    ...(!row.isLeftOut(6) && { list: row.texts(6) }),
  }
}

function readCounter(row: Row): CounterChange {
  const valueCount = row.integer(6)
  return {
    count: row.integer(3),
    first: row.ms(4),
    last: row.ms(5),
    valueCount,
    ...(valueCount > 0 && {
      values: { sum: row.numeric(7), min: row.numeric(8), max: row.numeric(9), lastValue: row.numeric(10) },
    }),
  }
}
