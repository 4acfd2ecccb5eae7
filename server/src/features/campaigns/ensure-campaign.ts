import type { Context } from '#base/context.ts'
import { insertCampaign } from './insert-campaign.ts'

/**
 * For the first group send with a trackId: the campaign is there when the caller's transaction is
 * [sending.md#campaign-keys-and-client-ids].
 */
export async function ensureCampaign(ctx: Context, { trackId }: { trackId: string }): Promise<void> {
  await insertCampaign(ctx, { trackId, name: trackId })
}
