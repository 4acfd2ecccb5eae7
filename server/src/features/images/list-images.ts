import type { listImages as contract, ImageList, QueryOf } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import { limits } from '#base/config.ts'
import { type Context, db } from '#base/context.ts'
import { readTimeCursor, writeTimeCursor } from '#base/page-cursor.ts'
import { countImages } from './count-images.ts'
import { type ImageRow, type StoredImage, storedImage } from './image.ts'

const defaultLimit = 100

/** Newest first. */
export async function listImages(
  ctx: Context,
  { cursor, limit = defaultLimit }: QueryOf<typeof contract>,
): Promise<Omit<ImageList, 'data'> & { data: StoredImage[] }> {
  const after = readTimeCursor(cursor)
  const createdAt = sql`date_trunc('milliseconds', created_at)`
  const rows = await db(ctx).query<ImageRow>(sql`
    select hash, type, width, height, bytes, created_at, created_by from images
    where app_id = ${ctx.app.id}
      ${after ? sql`and (${createdAt}, hash) < (${new Date(after.time).toISOString()}::timestamptz, ${after.name})` : empty}
    order by ${createdAt} desc, hash desc limit ${limit + 1}`)
  const data = rows.slice(0, limit).map(storedImage)
  const last = data.at(-1)
  const { count, bytes } = await countImages(db(ctx), ctx.app.id)
  return {
    data,
    ...(rows.length > limit && last && { cursor: writeTimeCursor({ time: last.createdAt, name: last.hash }) }),
    total: { count, maxCount: limits.imagesPerApp, bytes, maxBytes: limits.imageBytesPerApp },
  }
}
