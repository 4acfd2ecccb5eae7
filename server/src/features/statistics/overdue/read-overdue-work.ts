import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { stoppedApps } from '../../accounts/apps/stop-store.ts'
import { isHeldBack, waitsForTurn } from '../../deliveries/fallback/fallback-store.ts'

export interface OverdueWork {
  what: 'scheduled messages' | 'SMS' | 'recalls' | 'events for webhooks' | 'calls of webhooks'
  seconds: number
}

/** Caps are enqueued with the time at which they began to count, a minute earlier. */
const outboxGrace = sql`interval '2 minutes'`

/**
 * How long the oldest work other than delivery batches has been overdue; 0 if none is. Stopped or paused work is not
 * overdue, nor is work that waits for a batch. A failing webhook is called one at a time, so its other calls are not
 * overdue either.
 */
export async function readOverdueWork({ store }: Pick<Context, 'store'>): Promise<OverdueWork[]> {
  return store.query<{ what: OverdueWork['what']; seconds: number }>(
    sql`
      with due as (
        (select 'scheduled messages' as what, due_at as since from scheduled_messages
         where cancelled_at is null and available_at < 'infinity' and due_at <= peyk_now()
         order by due_at limit 1)
        union all
        (select 'SMS', due_at from sms_fallbacks f
         where state = 'waiting' and due_at <= peyk_now() and app_id <> all (${stoppedApps})
           and not ${isHeldBack} and not ${waitsForTurn}
         order by due_at limit 1)
        union all
        select 'SMS', min(updated_at) from sms_fallbacks where state = 'sending'
        union all
        select 'recalls', min(available_at) from recall_batches
        where available_at <= peyk_now() and expires_at > peyk_now() and app_id <> all (${stoppedApps})
        union all
        select 'recalls', min(m.recalled_at) from recalls r join messages m on m.app_id = r.app_id and m.id = r.message_id
        where r.listed_at is null and not exists (
          select from delivery_batches b where b.app_id = r.app_id and b.message_id = r.message_id and b.state in ('queued', 'paused'))
        union all
        (select 'events for webhooks', happened_at + ${outboxGrace} from outbox order by event_no limit 1)
        union all
        select 'calls of webhooks', due.since from webhooks w
        cross join lateral (
          select min(c.available_at) as since from webhook_calls c
          where c.app_id = w.app_id and c.webhook_id = w.webhook_id and c.state = 'waiting' and c.available_at <= peyk_now()
        ) due
        where w.disabled_at is null and w.failing_since is null
      )
      select kinds.what, greatest(0, coalesce(extract(epoch from peyk_now() - min(due.since)), 0))::float8 as seconds
      from (values ('scheduled messages'), ('SMS'), ('recalls'), ('events for webhooks'), ('calls of webhooks')) as kinds(what)
      left join due using (what) group by kinds.what`,
    'read-overdue-work',
  )
}
