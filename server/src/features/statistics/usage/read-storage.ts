import type { Usage } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { getRetention } from '../../accounts/apps/get-retention.ts'
import { countImages } from '../../images/count-images.ts'

type Ctx = Pick<Context, 'app' | 'store' | 'tx'>

/**
 * How many rows of an app are kept, from what was counted, and how large they are about: PostgreSQL knows the size of a table
 * and how many rows it has, and not whose they are.
 */
export async function readStorage(ctx: Ctx, installations: number): Promise<Usage['storage']> {
  const retention = await getRetention(ctx)
  const kept = await countKept(ctx, retention)
  const images = await countImages(db(ctx), ctx.app.id)
  const rowBytes = await readRowBytes(ctx)
  const estimate = (rows: number, bytes: number | undefined) => ({
    rows,
    ...(bytes !== undefined && { bytes: Math.round(rows * bytes) }),
  })
  return {
    installations: estimate(installations, sumOf(rowBytes, ['installations', 'installation_details'])),
    events: estimate(kept.events, rowBytes.get('events')),
    deliveries: estimate(kept.deliveries, rowBytes.get('deliveries')),
    images: { rows: images.count, bytes: images.bytes },
  }
}

function sumOf(rowBytes: ReadonlyMap<string, number>, tables: readonly string[]): number | undefined {
  const found = tables.flatMap((table) => rowBytes.get(table) ?? [])
  return found.length === tables.length ? found.reduce((sum, bytes) => sum + bytes, 0) : undefined
}

async function countKept(ctx: Ctx, days: { eventsDays: number; deliveriesDays: number }) {
  const [row] = await db(ctx).query<{ events: number; deliveries: number }>(
    sql`select
          (select coalesce(sum(count - forgotten), 0)::bigint from event_days
           where app_id = ${ctx.app.id} and day >= peyk_now()::date - ${days.eventsDays}::int) as events,
          (select coalesce(sum(deliveries), 0)::bigint from usage_days
           where app_id = ${ctx.app.id} and day >= peyk_now()::date - ${days.deliveriesDays}::int) as deliveries`,
    'count-kept-rows',
  )
  return row as { events: number; deliveries: number }
}

/** By table, with its indexes and all its months; without those of which PostgreSQL has not counted the rows yet. */
async function readRowBytes(ctx: Ctx): Promise<Map<string, number>> {
  const rows = await db(ctx).query<{ name: string; bytes: number }>(
    sql`select k.name, (sum(pg_total_relation_size(c.oid)) / sum(c.reltuples))::float8 as bytes
        from unnest(array['installations', 'installation_details', 'events', 'deliveries']) as k (name)
        join pg_class c on c.oid = to_regclass(k.name)
          or c.oid in (select inhrelid from pg_inherits where inhparent = to_regclass(k.name))
        where c.relkind = 'r' and c.reltuples > 0
        group by k.name`,
    'read-row-bytes',
  )
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}
