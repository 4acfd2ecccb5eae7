import type { Readable } from 'node:stream'
import type { Context } from '../../base/context.ts'
import { replaceSet } from './replace-set.ts'

/** [spec 4.10] The app has one global set, so its id is the app's. */
export async function replaceGlobalCodes(ctx: Context, { file }: { file: Readable }) {
  const { setId: _, ...counts } = await replaceSet(ctx, { trackId: '', file })
  return { promoSetId: ctx.app.label, ...counts }
}
