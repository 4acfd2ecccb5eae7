import type * as contract from '@peyk/contract'
/** A campaign as callers see it. */
export type Campaign = contract.AnswerOf<typeof contract.createCampaign>

export interface CampaignRow {
  track_id: string
  name: string
  created_at: Date
}

export function campaignAnswer(row: CampaignRow): Campaign {
  return { trackId: row.track_id, name: row.name, createdAt: row.created_at.getTime() }
}
