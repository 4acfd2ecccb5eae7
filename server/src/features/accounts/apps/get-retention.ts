import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { defaultRetention, type Retention } from './retention.ts'

export async function getRetention(ctx: Pick<Context, 'app' | 'store' | 'tx'>): Promise<Retention> {
  const [row] = await db(ctx).query<{ events: unknown; deliveries: unknown }>(sql`
    select settings->'retention'->'eventsDays' as events, settings->'retention'->'deliveriesDays' as deliveries
    from apps where app_id = ${ctx.app.id}`)
  return {
    eventsDays: typeof row?.events === 'number' ? row.events : defaultRetention.eventsDays,
    deliveriesDays: typeof row?.deliveries === 'number' ? row.deliveries : defaultRetention.deliveriesDays,
    usual: defaultRetention,
  }
}
