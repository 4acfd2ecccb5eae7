import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

export interface SegmentSize {
  /** UTC, such as 2026-11-15. */
  day: string
  count: number
  /** Absent for sizes stored by an earlier version. */
  countedAt?: number
}

const DAY = 86_400_000

/** The sizes of an app's segments in the last days, oldest first, by segment. */
export async function readSizes(
  database: Database,
  appId: number,
  { days, until, segmentId }: { days: number; until: Date; segmentId?: string },
): Promise<Map<string, SegmentSize[]>> {
  const from = new Date(until.getTime() - days * DAY).toISOString().slice(0, 10)
  const rows = await database.query<{ segment_id: string; day: string; count: number; counted_at: Date | null }>(sql`
    select z.segment_id, to_char(z.day, 'YYYY-MM-DD') as day, z.count, z.counted_at
    from segment_sizes z
    where z.app_id = ${appId} and z.day > ${from}::date
      and (${segmentId ?? null}::uuid is null or z.segment_id = ${segmentId ?? null}::uuid)
    order by z.segment_id, z.day`)
  const sizes = new Map<string, SegmentSize[]>()
  for (const { segment_id, day, count, counted_at } of rows) {
    const size = { day, count, ...(counted_at && { countedAt: counted_at.getTime() }) }
    sizes.set(segment_id, [...(sizes.get(segment_id) ?? []), size])
  }
  return sizes
}
