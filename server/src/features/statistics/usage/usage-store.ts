import type { Usage } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

type Ctx = Pick<Context, 'app' | 'store' | 'tx'>

/** Every day of a month on which anything was counted; `from` is its first. */
export async function readUsageDays(ctx: Ctx, from: string): Promise<Usage['days']> {
  const within = sql`app_id = ${ctx.app.id} and day >= ${from}::date and day < ${from}::date + interval '1 month'`
  return db(ctx).query<Usage['days'][number]>(
    sql`select day::text, sum(messages)::bigint as messages, sum(deliveries)::bigint as deliveries, sum(sent)::bigint as sent,
          sum(events)::bigint as events, sum(sms)::bigint as sms, sum(new_installations)::bigint as "newInstallations",
          sum(active)::bigint as "activeInstallations", sum(connections)::bigint as "peakConnections"
        from (
          select day, messages, deliveries, 0 as sent, events, 0 as sms, new_installations, 0 as active,
            coalesce(connections, 0) as connections
          from usage_days where ${within}
          union all
          select day, 0, 0, sent, 0, 0, 0, 0, 0 from delivery_days where ${within}
          union all
          select day, 0, 0, 0, 0, sent, 0, 0, 0 from sms_days where ${within}
          union all
          select day, 0, 0, 0, 0, 0, 0, active_installations, 0 from activity_days where ${within}
        ) counted
        group by day order by day`,
    'read-usage-days',
  )
}

/** As they were last counted; of an app that is too new for it, those that came. */
export async function readInstallations(ctx: Ctx): Promise<number> {
  const [row] = await db(ctx).query<{ installations: number }>(
    sql`select coalesce(
            (select installations from usage_days
             where app_id = ${ctx.app.id} and installations is not null order by day desc limit 1),
            (select sum(new_installations) from usage_days where app_id = ${ctx.app.id}), 0)::bigint as installations`,
    'read-counted-installations',
  )
  return row?.installations ?? 0
}

/** Each day counts those of the month so far. */
export async function readMonthActive(ctx: Ctx, from: string): Promise<number> {
  const [row] = await db(ctx).query<{ active: number }>(
    sql`select coalesce(max(active_installations), 0)::bigint as active from usage_days
        where app_id = ${ctx.app.id} and day >= ${from}::date and day < ${from}::date + interval '1 month'`,
    'read-active-of-month',
  )
  return row?.active ?? 0
}

/** A day that was counted has a row without a provider. */
export async function readProviderCounts(ctx: Ctx, from: string): Promise<Usage['providers']> {
  const rows = await db(ctx).query<{ provider: string; days: number; deliveries: number }>(
    sql`select provider, count(*) as days, sum(deliveries)::bigint as deliveries from usage_providers
        where app_id = ${ctx.app.id} and day >= ${from}::date and day < ${from}::date + interval '1 month'
        group by provider order by deliveries desc, provider`,
    'read-provider-counts',
  )
  const named = rows.filter(({ provider }) => provider !== '')
  return {
    counted: rows.find(({ provider }) => provider === '')?.days ?? 0,
    deliveries: Object.fromEntries(named.map(({ provider, deliveries }) => [provider, deliveries])),
  }
}
