import type { SavedSegment } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { compileAudience } from '../compile/compile-audience.ts'

/** Counts a saved segment, and keeps the count as the size of this day (UTC). */
export async function recordSize(ctx: Context, { id, segment }: Pick<SavedSegment, 'id' | 'segment'>): Promise<void> {
  const at = ctx.now()
  const condition = await compileAudience(ctx, { segment }, at, { wasAccepted: true })
  await db(ctx).query(sql`
    insert into segment_sizes (app_id, segment_id, day, count, counted_at)
    select s.app_id, s.segment_id, ${at.toISOString().slice(0, 10)}::date, (select count(*) from installations i where ${condition}), ${at}::timestamptz
    from segments s where s.app_id = ${ctx.app.id} and s.segment_id = ${id}
    on conflict (app_id, segment_id, day) do update set count = excluded.count, counted_at = excluded.counted_at`)
}
