import type { SavedSegment } from '@peyk/contract'
import sql from 'sql-template-tag'
import { isUuid } from '#base/ids.ts'
import type { Database } from '#base/store/store.ts'
import type { ValueKind } from '../../installations/attributes/value-kind.ts'

interface Row {
  segment_id: string
  name: string
  definition: SavedSegment['segment']
  created_at: Date
  updated_at: Date
}

const columns = sql`segment_id, name, definition, created_at, updated_at`

function readRow(row: Row): SavedSegment {
  return {
    id: row.segment_id,
    name: row.name,
    segment: row.definition,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  }
}

/** By id, else by name. */
export async function findSegment(
  database: Database,
  appId: number,
  idOrName: string,
): Promise<SavedSegment | undefined> {
  const id = isUuid(idOrName) ? idOrName.toLowerCase() : null
  const [row] = await database.query<Row>(
    sql`select ${columns} from segments
        where app_id = ${appId} and (segment_id = ${id}::uuid or name = ${idOrName})
        order by (segment_id = ${id}::uuid) desc nulls last limit 1`,
  )
  return row && readRow(row)
}

export async function listSavedSegments(database: Database, appId: number): Promise<SavedSegment[]> {
  const rows = await database.query<Row>(sql`select ${columns} from segments where app_id = ${appId} order by name`)
  return rows.map(readRow)
}

export interface SegmentChange {
  name: string
  segment: SavedSegment['segment']
  at: Date
}

/** Undefined when the name is taken. */
export async function insertSegment(
  database: Database,
  appId: number,
  id: string,
  change: SegmentChange,
): Promise<SavedSegment | undefined> {
  const [row] = await database.query<Row>(
    sql`insert into segments (app_id, segment_id, name, definition, created_at, updated_at)
        values (${appId}, ${id}, ${change.name}, ${JSON.stringify(change.segment)}, ${change.at}, ${change.at})
        on conflict do nothing returning ${columns}`,
  )
  return row && readRow(row)
}

/** Undefined when another segment has the name. */
export async function updateSegment(
  database: Database,
  appId: number,
  id: string,
  change: SegmentChange,
): Promise<SavedSegment | undefined> {
  try {
    const [row] = await database.query<Row>(
      sql`update segments set name = ${change.name}, definition = ${JSON.stringify(change.segment)}, updated_at = ${change.at}
          where app_id = ${appId} and segment_id = ${id} returning ${columns}`,
    )
    return row && readRow(row)
  } catch (error) {
    if ((error as { code?: unknown }).code === '23505') return undefined
    throw error
  }
}

export async function removeSegment(database: Database, appId: number, id: string): Promise<void> {
  await database.query(sql`delete from segment_sizes where app_id = ${appId} and segment_id = ${id}`)
  await database.query(sql`delete from segments where app_id = ${appId} and segment_id = ${id}`)
}

export interface AttributeName {
  name: string
  kind: ValueKind
  /** Some installation has it as its own. */
  isOnInstallation: boolean
}

export async function findAttributeNames(
  database: Database,
  appId: number,
  names: readonly string[],
): Promise<AttributeName[]> {
  return database.query<AttributeName>(
    sql`select name, kind, on_installation as "isOnInstallation" from attribute_names
        where app_id = ${appId} and name = any(${names}::text[])`,
  )
}
