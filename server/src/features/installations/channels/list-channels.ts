import type * as contract from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

export type ChannelCount = contract.AnswerOf<typeof contract.channels>[number]

/** The public channels with the number of their installations, the largest first. Everybody is on `default`. */
export async function listChannels(ctx: Context, query: { limit?: number | undefined } = {}): Promise<ChannelCount[]> {
  return db(ctx).query<ChannelCount>(sql`
    select channel, count from (
      select 'default' as channel, count(*) as count
      from installations where app_id = ${ctx.app.id} and uninstalled_at is null
      union all
      select substr(subscription, 8), sum(alike)::bigint
      from (
        select subscriptions, count(*) as alike from installations
        where app_id = ${ctx.app.id} and uninstalled_at is null and subscriptions <> '{}' group by subscriptions
      ) i, unnest(i.subscriptions) as subscription
      where starts_with(subscription, 'public/')
      group by subscription
    ) as channels
    order by channel <> 'default', count desc, channel collate "C"
    limit ${query.limit ?? 1_000}`)
}
