import type { ChangeHandler } from '#base/store/replication/change-reader.ts'
import { isUnchanged, readInteger, type Tuple } from '#base/store/replication/tuple.ts'
import { type FollowedTable, followedTables, Row, ValueLeftOut } from './followed-tables.ts'
import type { SegmentData } from './segment-data.ts'

interface KnownTable {
  table: FollowedTable
  row: Row
  appColumn: number
}

/** Keeps the data of one app as the tables are. */
export function applyChanges(data: SegmentData, appId: number): ChangeHandler {
  const known = new Map<number, KnownTable>()
  const find = (id: number, tuple: Tuple): KnownTable | undefined => {
    const found = known.get(id)
    if (!found || readInteger(tuple, found.appColumn) !== appId) return undefined
    found.row.tuple = tuple
    return found
  }
  const put = (id: number, tuple: Tuple) => {
    const found = find(id, tuple)
    found?.table.put(data, found.row)
  }
  const remove = (id: number, key: Tuple) => {
    const found = find(id, key)
    found?.table.remove(data, found.row)
  }
  return {
    table: (id, name, columns) => {
      const table = followedTables.find((one) => one.name === name)
      if (!table) return
      const at = table.columns.map((column) => columns.indexOf(column))
      if (at.includes(-1)) throw new Error(`The table ${name} has other columns than are known.`)
      known.set(id, { table, row: new Row(at), appColumn: at[0] as number })
    },
    insert: put,
    update: (id, tuple, key) => {
      if (key && tuple.lengths.includes(isUnchanged)) throw new ValueLeftOut('A row moved without all its values.')
      if (key) remove(id, key)
      put(id, tuple)
    },
    remove,
    truncate: () => {
      throw new Error('A table was emptied.')
    },
  }
}
