import type { SegmentDetail } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { readIdCursor } from '#base/page-cursor.ts'
import { getSegment } from '../../segments/saved/get-segment.ts'
import { readSizes } from '../../segments/saved/sizes-store.ts'
import { messageText } from '../message-lines/message-text.ts'

const shownDays = 90
const usesPerPage = 20

/** A saved segment, how large it was, and the messages that went to it. */
export async function getSegmentDetail(
  ctx: Context,
  input: { id: string; cursor?: string | undefined },
): Promise<SegmentDetail> {
  const before = readIdCursor(input.cursor)
  const saved = await getSegment(ctx, input)
  const sizes = await readSizes(db(ctx), ctx.app.id, { days: shownDays, until: ctx.now(), segmentId: saved.id })
  return {
    ...saved,
    segment: saved.segment as Record<string, unknown>,
    sizes: sizes.get(saved.id) ?? [],
    uses: await listUses(ctx, saved.id, before),
  }
}

async function listUses(ctx: Context, segmentId: string, before: string | undefined): Promise<SegmentDetail['uses']> {
  const rows = await db(ctx).query<{
    id: string
    accepted_at: Date
    text: string | null
    recipients: number
    track_id: string | null
  }>(sql`
    select m.id, m.accepted_at, ${messageText} as text, m.recipients, m.track_id from messages m
    where m.app_id = ${ctx.app.id} and m.target ->> 'segmentId' = ${segmentId}
      ${before === undefined ? empty : sql`and m.id < ${before}::uuid`}
    order by m.id desc limit ${usesPerPage + 1}`)
  const data = rows.slice(0, usesPerPage).map((row) => ({
    id: row.id,
    acceptedAt: row.accepted_at.getTime(),
    text: row.text ?? '',
    count: row.recipients,
    ...(row.track_id !== null && { trackId: row.track_id }),
  }))
  const last = data.at(-1)
  return { data, ...(rows.length > usesPerPage && last && { cursor: last.id }) }
}
