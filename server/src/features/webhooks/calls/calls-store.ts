import sql from 'sql-template-tag'
import type { Database, Store, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

export interface DueCall {
  app_id: number
  label: string
  webhook_id: string
  call_no: number
  event_id: string
  kind: string
  happened_at: Date
  body: unknown
  attempts: number
  url: string
  sealed_secret: Buffer
}

export interface InFlight {
  appId: number
  webhookId: string
  count: number
}

// A service that was down for a day does not give up at its first try.
const leastAttempts = 3

/**
 * Takes calls that are due, each webhook's oldest first, as many as it has room for: a webhook that fails is called one
 * at a time. A lease that runs out makes the call due again, so a process that was killed loses none.
 */
export function takeCalls(
  store: Store,
  {
    holder,
    leaseMs,
    inFlight,
    perWebhook,
    room,
  }: { holder: string; leaseMs: number; inFlight: InFlight[]; perWebhook: number; room: number },
): Promise<DueCall[]> {
  return store.query<DueCall>(
    sql`with due as materialized (
          select c.app_id, c.webhook_id, c.call_no, w.url, w.sealed_secret, a.label
          from webhooks w
          join apps a on a.app_id = w.app_id
          left join ${unnestRows(inFlight, 'busy', {
            app_id: ['int', (each) => each.appId],
            webhook_id: ['uuid', (each) => each.webhookId],
            count: ['int', (each) => each.count],
          })} on busy.app_id = w.app_id and busy.webhook_id = w.webhook_id
          cross join lateral (
            select app_id, webhook_id, call_no, available_at from webhook_calls c
            where c.app_id = w.app_id and c.webhook_id = w.webhook_id and c.state = 'waiting' and c.available_at <= peyk_now()
            order by c.available_at, c.call_no
            limit greatest(0, case when w.failing_since is null then ${perWebhook}::int else 1 end - coalesce(busy.count, 0))
            for update skip locked
          ) c
          where w.disabled_at is null
          order by c.available_at, c.call_no
          limit ${room}
        )
        update webhook_calls c
        set lease_holder = ${holder}, available_at = peyk_now() + ${leaseMs} * interval '1 millisecond'
        from due
        where c.app_id = due.app_id and c.webhook_id = due.webhook_id and c.call_no = due.call_no
        returning c.app_id, due.label, c.webhook_id, c.call_no, c.event_id, c.kind, c.happened_at, c.body, c.attempts,
          due.url, due.sealed_secret`,
    'take-webhook-calls',
  )
}

export interface Attempt {
  appId: number
  webhookId: string
  at: Date
  eventId: string
  kind: string
  status: number | undefined
  detail: string
  tookMs: number
}

export interface SettledCall extends Attempt {
  callNo: number
  isSuccess: boolean
  nextTryMs: number
}

export async function logAttempts(database: Database, attempts: readonly Attempt[]): Promise<void> {
  await database.query(
    sql`insert into webhook_attempts (app_id, webhook_id, attempted_at, event_id, kind, status, detail, took_ms)
        select * from unnest(
          ${attempts.map((each) => each.appId)}::int[], ${attempts.map((each) => each.webhookId)}::uuid[],
          ${attempts.map((each) => each.at.toISOString())}::timestamptz[], ${attempts.map((each) => each.eventId)}::uuid[],
          ${attempts.map((each) => each.kind)}::text[], ${attempts.map((each) => each.status ?? null)}::int[],
          ${attempts.map((each) => each.detail)}::text[], ${attempts.map((each) => each.tookMs)}::int[])
        on conflict do nothing`,
    'log-webhook-attempts',
  )
}

/** How the calls that are still the holder's ended: done and gone, given up after a day, or to be made again. */
export function endCalls(tx: Transaction, holder: string, calls: readonly SettledCall[]) {
  return tx.query<{ app_id: number; webhook_id: string; state: 'waiting' | 'done' | 'failed' }>(
    sql`with own as (
          select c.app_id, c.webhook_id, c.call_no, r.is_success, r.next_try_ms
          from ${unnestRows(calls, 'r', {
            app_id: ['int', (each) => each.appId],
            webhook_id: ['uuid', (each) => each.webhookId],
            call_no: ['bigint', (each) => each.callNo],
            is_success: ['boolean', (each) => each.isSuccess],
            next_try_ms: ['float8', (each) => each.nextTryMs],
          })}
          join webhook_calls c on c.app_id = r.app_id and c.webhook_id = r.webhook_id and c.call_no = r.call_no
          where c.state = 'waiting' and c.lease_holder = ${holder}
          order by c.app_id, c.webhook_id, c.call_no for update of c
        ), done as (
          delete from webhook_calls c using own
          where own.is_success and c.app_id = own.app_id and c.webhook_id = own.webhook_id and c.call_no = own.call_no
          returning c.app_id, c.webhook_id
        ), failed as (
          update webhook_calls c
          set attempts = c.attempts + 1, lease_holder = null,
            available_at = peyk_now() + make_interval(secs => own.next_try_ms / 1000),
            state = case when c.attempts + 1 >= ${leastAttempts} and c.created_at < peyk_now() - interval '1 day'
              then 'failed' else 'waiting' end
          from own
          where not own.is_success
            and c.app_id = own.app_id and c.webhook_id = own.webhook_id and c.call_no = own.call_no
          returning c.app_id, c.webhook_id, c.state
        )
        select app_id, webhook_id, 'done' as state from done
        union all select app_id, webhook_id, state from failed`,
    'end-webhook-calls',
  )
}
