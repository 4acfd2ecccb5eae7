import sql, { type Sql } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import type { UserClocks } from './user-clocks.ts'

interface Timing {
  appId: number
  messageId: string
  clocks: UserClocks
  /** How long the message lives for each user. */
  life: Sql
  /** How long after it the SMS goes, in seconds. */
  delay: number
}

/** The SMS of a message with a local time wait for the moments of their users. There is none for who is left out. */
export async function timeFallbacks(tx: Transaction, { appId, messageId, clocks, life, delay }: Timing): Promise<void> {
  await tx.query(sql`
    with clocks as materialized (
      ${clocks.known}
    ), own as (
      select f.user_id, case when c.user_no is null then ${clocks.otherwise}::timestamptz else c.at end as at
      from sms_fallbacks f
      left join users u on u.app_id = f.app_id and u.user_id = f.user_id
      left join clocks c on c.user_no = u.user_no
      where f.app_id = ${appId} and f.message_id = ${messageId} and f.state = 'waiting' and f.expires_at is null
      order by f.user_id for update of f
    )
    update sms_fallbacks f
    set due_at = coalesce(own.at + ${delay}::float8 * interval '1 second', f.due_at), expires_at = own.at + ${life},
      state = case when own.at is null then 'cancelled' else f.state end,
      detail = case when own.at is null then 'the local time of the user had passed' else f.detail end,
      updated_at = peyk_now()
    from own
    where f.app_id = ${appId} and f.message_id = ${messageId} and f.user_id = own.user_id`)
}
