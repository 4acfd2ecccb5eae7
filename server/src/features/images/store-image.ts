import { createHash } from 'node:crypto'
import type { UploadedImage } from '@peyk/contract'
import sql from 'sql-template-tag'
import { limits } from '#base/config.ts'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'
import { countImages } from './count-images.ts'
import { type ReadImage, readImage } from './read-image.ts'

/** Keeps an image; one that is there already stays as it is. */
export async function storeImage(ctx: Context, content: Buffer): Promise<Omit<UploadedImage, 'url'>> {
  const image = checkImage(content)
  const hash = createHash('sha256').update(content).digest('hex')
  await inTransaction(ctx, async (tx) => {
    await lockImages(tx, ctx.app.id)
    if (await hasImage(tx, ctx.app.id, hash)) return
    await checkRoom(tx, ctx.app.id, content.length)
    await tx.query(sql`
      insert into images (app_id, hash, type, width, height, bytes, created_at, created_by, content)
      values (${ctx.app.id}, ${hash}, ${image.type}, ${image.width}, ${image.height}, ${content.length}, ${ctx.now()},
        ${ctx.member?.email ?? ctx.token?.name ?? ''}, ${content})`)
  })
  return { hash, ...image, bytes: content.length }
}

function checkImage(content: Buffer): ReadImage {
  const { imageBytes, imageSide } = limits
  if (content.length > imageBytes) {
    throw new RequestError('too-large', `The image has ${content.length} bytes; at most ${imageBytes} are allowed.`, {
      details: { what: 'image' },
    })
  }
  const image = readImage(content)
  if (!image) {
    throw new RequestError('invalid-image', 'Expected a whole JPEG, PNG, WebP or GIF file, by its bytes.', {
      details: { problem: 'type' },
    })
  }
  const { width, height } = image
  if (width <= imageSide && height <= imageSide) return image
  throw new RequestError(
    'invalid-image',
    `The image has ${width} × ${height} pixels; at most ${imageSide} a side are allowed.`,
    { details: { problem: 'side' } },
  )
}

/** Uploads of one app take turns from here on, so that each counts those before it. */
async function lockImages(tx: Transaction, appId: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`images ${appId}`}, 0))`)
}

async function hasImage(tx: Transaction, appId: number, hash: string): Promise<boolean> {
  const found = await tx.query<{ hash: string }>(
    sql`select hash from images where app_id = ${appId} and hash = ${hash}`,
  )
  return found.length > 0
}

async function checkRoom(tx: Transaction, appId: number, added: number): Promise<void> {
  const { count, bytes } = await countImages(tx, appId)
  if (count < limits.imagesPerApp && bytes + added <= limits.imageBytesPerApp) return
  throw new RequestError(
    'limit-reached',
    `The app keeps as many images as it may: ${limits.imagesPerApp}, or ${limits.imageBytesPerApp} bytes in all. Delete some first.`,
    { details: { what: 'images' } },
  )
}
