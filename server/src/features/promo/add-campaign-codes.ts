import type { Context } from '#base/context.ts'
import { addToSet } from './add-to-set.ts'
import { checkCampaign } from './check-campaign.ts'
import type { CodeFile } from './upload-file.ts'

/** As [interface.md#49-upload-promo-codes-for-a-campaign], but the codes that the campaign has stay. */
export async function addCampaignCodes(ctx: Context, given: CodeFile) {
  await checkCampaign(ctx, given.trackId)
  const { setId, ...counts } = await addToSet(ctx, given)
  return { promoSetId: setId, ...counts }
}
