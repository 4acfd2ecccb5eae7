import type { SavedSegment } from '@peyk/contract'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { recordSize } from './record-size.ts'

/** A segment is saved also when counting it fails, or takes too long: the size of the day comes later. */
export async function tryRecordSize(ctx: Context, saved: SavedSegment): Promise<void> {
  await ctx.tx?.query(sql`savepoint before_size`)
  try {
    await recordSize(ctx, saved)
  } catch (error) {
    ctx.log.warn({ err: error, segment: saved.id }, 'a segment was saved but not counted')
    await ctx.tx?.query(sql`rollback to savepoint before_size`)
  }
}
