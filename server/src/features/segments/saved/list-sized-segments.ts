import type { SavedSegment } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { listSavedSegments } from './segment-store.ts'
import { readSizes, type SegmentSize } from './sizes-store.ts'

const shownDays = 30

/** The saved segments by name, with how large they were lately. */
export async function listSizedSegments(ctx: Context): Promise<{ data: (SavedSegment & { sizes: SegmentSize[] })[] }> {
  const saved = await listSavedSegments(db(ctx), ctx.app.id)
  const sizes = await readSizes(db(ctx), ctx.app.id, { days: shownDays, until: ctx.now() })
  return { data: saved.map((segment) => ({ ...segment, sizes: sizes.get(segment.id) ?? [] })) }
}
