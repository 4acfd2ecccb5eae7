import sql, { type Sql } from 'sql-template-tag'
import { afterPart } from '#base/store/after-part.ts'
import type { Transaction } from '#base/store/store.ts'
import { type ForgottenUser, removeRows } from '../installations/users/forget-user.ts'
import { countedRecipients } from '../messages/accept/counted-recipients.ts'
import { countForgotten } from './progress/count-forgotten.ts'
import { moveCountersToCampaigns } from './progress/move-counters-to-campaigns.ts'

/**
 * Deliveries to the user's installations, past and still to come, and all of messages that go. What was counted stays
 * counted [users-and-events.md#how-long-data-is-kept]. Runs before messages are forgotten.
 */
export async function forgetUser(tx: Transaction, user: ForgottenUser) {
  const { appId, userNos, installationNos, messageIds } = user
  const ofMessages = sql`app_id = ${appId} and message_id = any(${messageIds}::uuid[])`
  await removeRows(tx, sql`delete from sms_fallbacks where ${ofMessages}`)
  await removeRows(
    tx,
    sql`delete from sms_fallbacks
        where app_id = ${appId} and user_id = any(${user.userIds}::text[]) and message_id in (${messagesTo(user)})`,
  )
  await removeRows(
    tx,
    sql`delete from recent_hand_overs where app_id = ${appId} and user_no = any(${userNos}::bigint[])`,
  )
  await lockDeliveries(tx, user)
  await removeRows(tx, sql`delete from recalls where ${ofMessages}`)
  await removeRows(tx, sql`delete from recall_batches where ${ofMessages}`)
  await removeRows(tx, sql`delete from message_paces where ${ofMessages}`)
  await moveCountersToCampaigns(tx, { appId, which: sql`m.id = any(${messageIds}::uuid[])` })
  await removeRows(tx, sql`delete from delivery_batches where ${ofMessages}`)
  await endListed(tx, user)
  await removeRows(
    tx,
    sql`update delivery_batches
        set installation_nos = array(select n from unnest(installation_nos) with ordinality as l(n, position)
                                     where n <> all(${installationNos}::bigint[]) order by position)
        where app_id = ${appId} and installation_nos && ${installationNos}::bigint[]`,
  )
  await removeRows(tx, sql`delete from delivery_attempts where ${ofMessages}`)
  await removeRows(tx, sql`delete from delivery_attempts where ${toInstallations(user)}`)
  const deliveriesOfMessages = await removeRows(tx, sql`delete from deliveries where ${ofMessages}`)
  await removeRows(tx, sql`delete from delivery_counters where ${ofMessages}`)
  await removeRows(tx, sql`delete from language_counters where ${ofMessages}`)
  await removeRows(tx, sql`delete from message_ends where ${ofMessages}`)
  await removeRows(tx, sql`delete from action_counters where ${ofMessages}`)
  await removeRows(tx, sql`delete from variant_decisions where ${ofMessages}`)
  await removeRows(
    tx,
    sql`delete from held_uninstalls where app_id = ${appId} and installation_no = any(${installationNos}::bigint[])`,
  )
  return { deliveries: deliveriesOfMessages + (await forgetDeliveries(tx, user)) }
}

/** In the order of all who write them, and before the counters. */
async function lockDeliveries(tx: Transaction, user: ForgottenUser): Promise<void> {
  await removeRows(
    tx,
    sql`select from deliveries d
        join (select app_id, message_id, installation_no from deliveries
              where app_id = ${user.appId} and message_id = any(${user.messageIds}::uuid[])
              union
              select app_id, message_id, installation_no from deliveries where ${toInstallations(user)}) k
          on k.app_id = d.app_id and k.message_id = d.message_id and k.installation_no = d.installation_no
        order by d.app_id, d.message_id, d.installation_no for update of d`,
  )
}

/** Who is still to get a message and is forgotten has no delivery, but is among the recipients that were counted. */
async function endListed(tx: Transaction, { appId, installationNos }: ForgottenUser): Promise<void> {
  const numbers = sql`${installationNos}::bigint[]`
  // Locked first: who holds a batch stores what became of it before this is counted, or finds it changed.
  const batches = await tx.query<{ batch_no: number }>(sql`
    select batch_no from delivery_batches where app_id = ${appId} and installation_nos && ${numbers} order by batch_no for update`)
  const ends = await tx.query<{ message_id: string; reason: 'gone' | 'cancelled'; count: number; at: Date }>(sql`
    select b.message_id, case b.state when 'cancelled' then 'cancelled' else 'gone' end as reason, count(distinct l.number) as count, peyk_now() as at
    from delivery_batches b cross join lateral unnest(b.installation_nos) as l(number)
    where b.app_id = ${appId} and b.batch_no = any(${batches.map((batch) => batch.batch_no)}::bigint[]) and l.number = any(${numbers})
      and not exists (
        select from deliveries d where d.app_id = ${appId} and d.message_id = b.message_id and d.installation_no = l.number)
    group by 1, 2`)
  await countForgotten(
    tx,
    ends.map(({ message_id: messageId, ...end }) => ({ ...end, appId, messageId })),
  )
}

function toInstallations(user: ForgottenUser): Sql {
  return sql`app_id = ${user.appId} and installation_no = any(${user.installationNos}::bigint[])
    and message_id in (${messagesTo(user)})`
}

/** Of messages to few, whose deliveries are not counted as they move, the forgotten ones are counted now. */
async function forgetDeliveries(tx: Transaction, user: ForgottenUser): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    with gone as (
      delete from deliveries where ${toInstallations(user)} returning app_id, message_id, state, coalesce(reason, '') as reason, updated_at, language
    ), noted as (
      insert into delivery_counters as c (app_id, message_id, slot, state, reason, count, forgotten, first_at, last_at)
      select g.app_id, g.message_id, 0, g.state, g.reason, case when m.recipients < ${countedRecipients} then g.count else 0 end,
        g.count, g.first_at, g.last_at
      from (
        select app_id, message_id, state, reason, count(*) as count, min(updated_at) as first_at, max(updated_at) as last_at
        from gone group by 1, 2, 3, 4
      ) g join messages m on m.app_id = g.app_id and m.id = g.message_id
      order by g.app_id, g.message_id, g.state collate "C", g.reason collate "C"
      on conflict (app_id, message_id, slot, state, reason) do update
      set count = c.count + excluded.count, forgotten = c.forgotten + excluded.forgotten
      returning 1
    ), languages as (
      insert into language_counters as c (app_id, message_id, language, slot, count, forgotten)
      select g.app_id, g.message_id, g.language, 0, case when m.recipients < ${countedRecipients} then g.count else 0 end, g.count
      from (
        select app_id, message_id, language, count(*) as count from gone where language is not null group by 1, 2, 3
      ) g join messages m on m.app_id = g.app_id and m.id = g.message_id
      where ${afterPart('noted')}
      order by g.app_id, g.message_id, g.language collate "C"
      on conflict (app_id, message_id, language, slot) do update
      set count = c.count + excluded.count, forgotten = c.forgotten + excluded.forgotten
    )
    select count(*) as count from gone`)
  return row?.count ?? 0
}

/** All messages that may have gone to the user's installations: those to the user, and those to nobody by name. */
export function messagesTo({ appId, messageIds, sharedMessageIds }: ForgottenUser) {
  return sql`
    select unnest(${[...messageIds, ...sharedMessageIds]}::uuid[])
    union all
    select id from messages where app_id = ${appId} and audience <> 'users'`
}
