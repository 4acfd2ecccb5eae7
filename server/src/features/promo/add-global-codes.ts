import type { Context } from '#base/context.ts'
import { addToSet } from './add-to-set.ts'
import type { CodeFile } from './upload-file.ts'

/** As [interface.md#410-upload-global-promo-codes], but the global codes that are there stay. */
export async function addGlobalCodes(ctx: Context, given: Omit<CodeFile, 'trackId'>) {
  const { setId: _, ...counts } = await addToSet(ctx, { ...given, trackId: '' })
  return { promoSetId: ctx.app.label, ...counts }
}
