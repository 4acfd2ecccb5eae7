import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'

export async function deleteImage(ctx: Context, { hash }: { hash: string }): Promise<{ hash: string }> {
  const [deleted] = await db(ctx).query<{ hash: string }>(
    sql`delete from images where app_id = ${ctx.app.id} and hash = ${hash} returning hash`,
  )
  if (deleted) return deleted
  throw new RequestError('not-found', 'The app has no image with this hash.')
}
