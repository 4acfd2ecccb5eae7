import sql from 'sql-template-tag'
import type { Database, Store } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { FallbackKey } from './claim-store.ts'

export interface SettledSms extends FallbackKey {
  reference: string
  /** `waiting`: the gateway took nothing, it may be tried again after `retrySeconds`. */
  state: 'sent' | 'refused' | 'unknown' | 'waiting'
  detail: string | null
  retrySeconds: number
}

/** Writes what came of SMS. A row that was held for lost meanwhile learns what really became of it. */
export async function settleSms(database: Database, settled: readonly SettledSms[]): Promise<void> {
  await database.query(
    sql`with own as (
          select f.app_id, f.message_id, f.user_id, k.state, k.detail, k.retry_seconds
          from ${unnestRows(settled, 'k', {
            app_id: ['int', (each) => each.appId],
            message_id: ['uuid', (each) => each.messageId],
            user_id: ['text', (each) => each.userId],
            reference: ['uuid', (each) => each.reference],
            state: ['text', (each) => each.state],
            detail: ['text', (each) => each.detail],
            retry_seconds: ['float8', (each) => each.retrySeconds],
          })}
          join sms_fallbacks f on f.app_id = k.app_id and f.message_id = k.message_id and f.user_id = k.user_id
          where f.reference = k.reference and f.state in ('sending', 'unknown')
          order by f.app_id, f.message_id, f.user_id
          for update of f
        ), uncounted as (
          update sms_days d set sent = greatest(0, d.sent - given_back.count)
          from (select app_id, count(*) as count from own where state = 'waiting' group by app_id) given_back
          where d.app_id = given_back.app_id and d.day = peyk_now()::date
        )
        update sms_fallbacks f
        set state = own.state, detail = own.detail, updated_at = peyk_now(),
          due_at = case own.state when 'waiting' then peyk_now() + make_interval(secs => own.retry_seconds) else f.due_at end
        from own
        where f.app_id = own.app_id and f.message_id = own.message_id and f.user_id = own.user_id`,
    'settle-sms',
  )
}

/** An SMS whose sender died in the middle may have gone out: it is never sent again. */
export async function giveUpLost(store: Store): Promise<void> {
  await store.query(
    sql`update sms_fallbacks
        set state = 'unknown', detail = 'the service stopped while it was being sent', updated_at = peyk_now()
        where (app_id, message_id, user_id) in (
          select app_id, message_id, user_id from sms_fallbacks
          where state = 'sending' and updated_at < peyk_now() - interval '1 minute'
          for update skip locked)`,
    'give-up-lost-sms',
  )
}
