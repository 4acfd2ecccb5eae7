import type { Context } from '#base/context.ts'
import { addToSet } from './add-to-set.ts'
import { checkCampaign } from './check-campaign.ts'
import type { CodeFile } from './upload-file.ts'

/** As [spec 4.9], but the codes that the campaign has stay. */
export async function addCampaignCodes(ctx: Context, given: CodeFile) {
  await checkCampaign(ctx, given.trackId)
  const { setId, ...counts } = await addToSet(ctx, given)
  return { promoSetId: setId, ...counts }
}
