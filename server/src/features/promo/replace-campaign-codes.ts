import type { Context } from '#base/context.ts'
import { checkCampaign } from './check-campaign.ts'
import { replaceSet } from './replace-set.ts'
import type { CodeFile } from './upload-file.ts'

/** [interface.md#49-upload-promo-codes-for-a-campaign] The 404 comes before anything of the file is read. */
export async function replaceCampaignCodes(ctx: Context, given: CodeFile) {
  await checkCampaign(ctx, given.trackId)
  const { setId, ...counts } = await replaceSet(ctx, given)
  return { promoSetId: setId, ...counts }
}
