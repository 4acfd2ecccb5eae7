import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { type Campaign, type CampaignRow, campaignAnswer } from './campaign.ts'

export interface CampaignDetail extends Campaign {
  messages: number
  /** Installations the messages went to, as counted when they were accepted. */
  count: number
  lastMessageAt?: number
}

export async function getCampaign(ctx: Context, { trackId }: { trackId: string }): Promise<CampaignDetail> {
  const [row] = await db(ctx).query<CampaignRow & { messages: number; recipients: number; last_at: Date | null }>(sql`
    select c.track_id, c.name, c.created_at, sent.messages, sent.recipients, sent.last_at
    from campaigns c cross join lateral (
      select count(*)::int as messages, coalesce(sum(m.recipients), 0)::bigint as recipients, max(m.accepted_at) as last_at
      from messages m where m.app_id = c.app_id and m.track_id = c.track_id
    ) sent
    where c.app_id = ${ctx.app.id} and c.track_id = ${trackId}`)
  if (!row) throw new RequestError('unknown-campaign', `No campaign has the trackId "${trackId}".`)
  return {
    ...campaignAnswer(row),
    messages: row.messages,
    count: row.recipients,
    ...(row.last_at && { lastMessageAt: row.last_at.getTime() }),
  }
}
