import type { Stall, TroubleReason } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { ProviderName } from '../provider.ts'

interface TroubleRow {
  provider: ProviderName
  since: Date
  reason: TroubleReason
}

/** For which providers that take nothing, or are paused, some messages wait: by message, those of which something waits. */
export async function readStalls(ctx: Context, messageIds: readonly string[]): Promise<Map<string, Stall[]>> {
  const rows = await db(ctx).query<Omit<TroubleRow, 'reason'> & { message_id: string; reason: Stall['reason'] }>(
    sql`select b.message_id, c.provider, coalesce(c.paused_at, c.trouble_since) as since,
          case when c.paused_at is null then c.trouble_reason else 'paused' end as reason
        from provider_credentials c
        join lateral (
          select distinct message_id from delivery_batches
          where app_id = c.app_id and message_id = any(${messageIds}::uuid[]) and stream = c.provider and state = 'queued'
        ) b on true
        where c.app_id = ${ctx.app.id} and (c.trouble_since is not null or c.paused_at is not null)
        order by c.provider`,
    'read-stalls',
  )
  const stalls = new Map<string, Stall[]>()
  for (const { message_id, since, ...row } of rows)
    stalls.set(message_id, [...(stalls.get(message_id) ?? []), { ...row, since: since.getTime() }])
  return stalls
}

/** The app's providers that have taken nothing since `before`, although something waits for them. */
export async function listTroubles(ctx: Context, { before }: { before: Date }) {
  const rows = await db(ctx).query<TroubleRow>(sql`
    select c.provider, c.trouble_since as since, c.trouble_reason as reason from provider_credentials c
    where c.app_id = ${ctx.app.id} and c.trouble_since <= ${before} and c.paused_at is null and exists (
      select from delivery_batches b where b.app_id = c.app_id and b.stream = c.provider and b.state = 'queued')
    order by c.trouble_since, c.provider`)
  return rows.map(({ since, ...row }) => ({ ...row, since: since.getTime() }))
}
