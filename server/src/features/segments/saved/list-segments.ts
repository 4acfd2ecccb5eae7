import type { SavedSegment } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { listSavedSegments } from './segment-store.ts'

export function listSegments(ctx: Context): Promise<SavedSegment[]> {
  return listSavedSegments(db(ctx), ctx.app.id)
}
