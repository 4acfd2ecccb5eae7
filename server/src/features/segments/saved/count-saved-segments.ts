import type { SavedSegment } from '@peyk/contract'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { recordSize } from './record-size.ts'

const DAY = 86_400_000
const keptDays = 400

interface Uncounted {
  app_id: number
  label: string
  segment_id: string
  definition: SavedSegment['segment']
}

/** Once a day each saved segment is counted. One that cannot be counted does not keep the others from it. */
export async function countSavedSegments(
  job: Pick<Context, 'store' | 'now' | 'log' | 'external'> & { signal: AbortSignal },
): Promise<void> {
  const { store, now, log, external, signal } = job
  const today = dayOf(now())
  const uncounted = await store.query<Uncounted>(sql`
    select s.app_id, a.label, s.segment_id, s.definition from segments s join apps a using (app_id)
    where not exists (
      select from segment_sizes z where z.app_id = s.app_id and z.segment_id = s.segment_id and z.day = ${today}::date)
    order by s.app_id, s.segment_id`)
  for (const { app_id, label, segment_id, definition } of uncounted) {
    if (signal.aborted) return
    const ctx: Context = { app: { id: app_id, label }, store, now, log, external }
    await recordSize(ctx, { id: segment_id, segment: definition }).catch((error: unknown) =>
      log.warn({ err: error, appId: app_id, segmentId: segment_id }, 'a saved segment could not be counted'),
    )
  }
  const oldest = dayOf(new Date(Number(now()) - keptDays * DAY))
  await store.query(sql`delete from segment_sizes where day < ${oldest}::date`)
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
