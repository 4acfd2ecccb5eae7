import type { Context } from '#base/context.ts'
import { replaceSet } from './replace-set.ts'
import type { CodeFile } from './upload-file.ts'

/** [interface.md#410-upload-global-promo-codes] The app has one global set, so its id is the app's. */
export async function replaceGlobalCodes(ctx: Context, given: Omit<CodeFile, 'trackId'>) {
  const { setId: _, ...counts } = await replaceSet(ctx, { ...given, trackId: '' })
  return { promoSetId: ctx.app.label, ...counts }
}
