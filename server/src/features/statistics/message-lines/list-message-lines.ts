import type { MessageLines, panelMessages, QueryOf } from '@peyk/contract'
import { type Context, inSnapshot } from '#base/context.ts'
import { readIdCursor } from '#base/page-cursor.ts'
import { findLines } from './find-lines.ts'
import { linesOf } from './lines-of.ts'

const defaultLimit = 25

/** Messages with their progress, newest first, all from one snapshot. */
export async function listMessageLines(outer: Context, input: QueryOf<typeof panelMessages>): Promise<MessageLines> {
  const { kind, trackId, cursor, limit = defaultLimit } = input
  const search = input.search?.trim() || undefined
  return inSnapshot(outer, async (ctx) => {
    const rows = await findLines(ctx, { search, kind, trackId, before: readIdCursor(cursor), limit: limit + 1 })
    const data = await linesOf(ctx, rows.slice(0, limit))
    const last = data.at(-1)
    return { at: ctx.now().getTime(), data, ...(rows.length > limit && last && { cursor: last.id }) }
  })
}
