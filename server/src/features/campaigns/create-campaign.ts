import type { BodyOf, createCampaign as contract } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { type Campaign, campaignAnswer } from './campaign.ts'
import { insertCampaign } from './insert-campaign.ts'

export async function createCampaign(ctx: Context, input: BodyOf<typeof contract>): Promise<Campaign> {
  const { trackId, name = trackId } = input
  const row = await insertCampaign(ctx, { trackId, name })
  if (!row) {
    throw new RequestError('already-exists', `A campaign with the trackId "${trackId}" already exists.`, {
      details: { what: 'campaign', name: trackId },
    })
  }
  return campaignAnswer(row)
}
