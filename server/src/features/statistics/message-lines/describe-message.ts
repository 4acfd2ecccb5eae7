import type { Message, MessageDetail } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { findApprover } from '../../composer/approvals/find-approver.ts'
import { readResults } from './read-results.ts'
import { readUsual } from './read-usual.ts'

const namedUsers = 20

/** A message with its counts, and whom it went to in words. */
export function describeMessage(ctx: Context, { id }: { id: string }): Promise<MessageDetail> {
  return readResults(ctx, { id }, { describe: readContext })
}

async function readContext(ctx: Context, message: Message & { id: string }): Promise<Partial<MessageDetail>> {
  const { segment_name, campaign_name, user_ids } = await readNames(ctx, message)
  const usual = await readUsual(ctx, message)
  return {
    ...(segment_name !== null && { segmentName: segment_name }),
    ...(campaign_name !== null && { campaignName: campaign_name }),
    ...(user_ids && { users: user_ids }),
    ...(usual && { usual }),
    ...(await findApprover(ctx, message)),
  }
}

interface Names {
  segment_name: string | null
  campaign_name: string | null
  user_ids: string[] | null
}

/** The segment it was sent to, by the name it has now; where that is not known, one that has the same rules. */
async function readNames(ctx: Context, message: Message): Promise<Names> {
  const { segment, segmentId } = message as { segment?: unknown; segmentId?: string }
  const rules = segment === undefined ? null : JSON.stringify(segment)
  const [names] = await db(ctx).query<Names>(sql`
    select
      (select name from segments
       where app_id = ${ctx.app.id} and (segment_id = ${segmentId ?? null}::uuid or definition = ${rules}::jsonb)
       order by (segment_id = ${segmentId ?? null}::uuid) desc nulls last, name limit 1) as segment_name,
      (select name from campaigns where app_id = ${ctx.app.id} and track_id = ${message.trackId ?? null}) as campaign_name,
      (select array_agg(user_id) from (
         select user_id from message_users where app_id = ${ctx.app.id} and message_id = ${message.id}
         order by user_id limit ${namedUsers}) named
       union all
       select user_ids[1:${namedUsers}] from scheduled_messages where app_id = ${ctx.app.id} and id = ${message.id}
       order by 1 limit 1) as user_ids`)
  return names ?? { segment_name: null, campaign_name: null, user_ids: null }
}
