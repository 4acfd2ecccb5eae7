/** A campaign as callers see it. */
export interface Campaign {
  trackId: string
  name: string
  createdAt: number
}

export interface CampaignRow {
  track_id: string
  name: string
  created_at: Date
}

export function campaignAnswer(row: CampaignRow): Campaign {
  return { trackId: row.track_id, name: row.name, createdAt: row.created_at.getTime() }
}
