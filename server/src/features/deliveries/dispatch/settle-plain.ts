import sql, { empty, type Sql } from 'sql-template-tag'
import { counterSlot } from '#base/counter-slot.ts'
import { afterPart } from '#base/store/after-part.ts'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { isForgottenInstallation } from '../../installations/users/forgotten-users.ts'
import { countedRecipients } from '../../messages/accept/counted-recipients.ts'
import { addDaySteps, levels, platformOfProvider } from '../progress/delivery-days.ts'
import type { Settled } from './held-batch.ts'
import { isForInbox, type Settlement } from './settlement.ts'

/** The usual end of a message to few: all of it went out, arrived or waits in inboxes, and no provider had anything to say of it. */
export function isPlain({ isFinal, isStopped, message, variants, settled, putBacks }: Settlement): boolean {
  return (
    isFinal &&
    !isStopped &&
    !variants &&
    putBacks.length === 0 &&
    settled.length > 0 &&
    message.recipients < countedRecipients &&
    !message.hasOwnEnd &&
    settled.every(saysLittle) &&
    new Set(settled.map(({ installationNo }) => installationNo)).size === settled.length
  )
}

function saysLittle({ state, attempt, detail }: Settled): boolean {
  return state !== 'ended' && attempt === undefined && detail === undefined
}

/**
 * Deletes the batches that are ours and stores their deliveries, in one statement, which is its own transaction. Answers
 * for which it did. Left as they are: those that are not ours any more, and those of which a delivery is there already,
 * because the device was quicker, or must not be, because its user was deleted. Should such a delivery come at the very
 * same moment, nothing is stored, and the statement fails.
 */
export async function settlePlain(database: Database, settlements: readonly Settlement[]): Promise<boolean[]> {
  const placed = settlements.flatMap((settlement, index) =>
    settlement.settled.map((settled) => ({ settlement, settled, batch: index + 1 })),
  )
  const hasLanguages = settlements.some(({ languages }) => languages)
  const hasDetails = placed.some(({ settled }) => settled.detailCode)
  const areDelivered = placed.some(({ settled }) => settled.state === 'delivered')
  const inLanguages = (part: Sql) => (hasLanguages ? part : empty)
  const withDetails = (part: Sql) => (hasDetails ? part : empty)
  const rows = await database.query<{ position: number }>(
    sql`
      with asked as materialized (
        select batch, app_id, message_id, installation_no, state, provider, platform, in_inbox, to_timestamp(at / 1000) as at
          ${inLanguages(sql`, language`)} ${withDetails(sql`, detail_code, detail_provider`)}
        from ${unnestRows(placed, 's', {
          batch: ['int', ({ batch }) => batch],
          app_id: ['int', ({ settlement }) => settlement.appId],
          message_id: ['uuid', ({ settlement }) => settlement.message.id],
          installation_no: ['bigint', ({ settled }) => settled.installationNo],
          state: ['text', ({ settled }) => settled.state],
          provider: ['text', ({ settled }) => settled.provider],
          platform: [
            'text',
            ({ settled: { platform, provider = '' } }) => platform ?? platformOfProvider.get(provider),
          ],
          in_inbox: ['boolean', ({ settlement, settled }) => isForInbox(settlement.message, settled)],
          at: ['float8', ({ settled }) => settled.at.getTime()],
          ...(hasLanguages && {
            language: ['text', ({ settlement, settled }) => settlement.languages?.get(settled.installationNo)] as const,
          }),
          ...(hasDetails && {
            detail_code: ['text', ({ settled }) => settled.detailCode] as const,
            detail_provider: ['text', ({ settled }) => settled.detailProvider] as const,
          }),
        })}
      ), ended as (
        delete from delivery_batches b
        using ${unnestRows(
          settlements,
          'k',
          {
            app_id: ['int', ({ appId }) => appId],
            batch_no: ['bigint', ({ batchNo }) => batchNo],
            holder: ['uuid', ({ lease }) => lease.holder],
          },
          { position: 'position' },
        )}
        where b.app_id = k.app_id and b.batch_no = k.batch_no and b.lease_holder = k.holder and k.position <> all (array(
          select a.batch from asked a
          where ${isForgottenInstallation(sql`a.app_id`, sql`a.installation_no`)} or exists (
            select from deliveries d
            where d.app_id = a.app_id and d.message_id = a.message_id and d.installation_no = a.installation_no offset 0)))
        returning k.position
      ), settled as materialized (
        select * from asked where batch = any (array(select position from ended))
      ), made as (
        insert into deliveries (app_id, message_id, installation_no, state, provider, in_inbox, sent_at, updated_at
          ${inLanguages(sql`, language`)} ${withDetails(sql`, detail_code, detail_provider`)})
        select app_id, message_id, installation_no, state, provider, in_inbox, case when state = 'sent' then at end, at
          ${inLanguages(sql`, language`)} ${withDetails(sql`, detail_code, detail_provider`)}
        from settled order by app_id, message_id, installation_no
        returning 1
      ), days as (
        ${addDaySteps(
          sql`(
            select app_id, installation_no, platform, at, ${levels.queued}::int as passed,
              case state when 'sent' then ${levels.sent}::int else ${levels.delivered}::int end as reached, 1 as count
            from settled where state in ('sent', 'delivered') and ${afterPart('made')})`,
          counterSlot(settlements.length),
        )} returning 1
      ) ${areDelivered ? receivedPart : empty}
      select position::int from ended`,
    `settle-plain${hasLanguages ? '-in-languages' : ''}${hasDetails ? '-with-details' : ''}${areDelivered ? '-delivered' : ''}`,
  )
  const isStored = settlements.map(() => false)
  for (const { position } of rows) isStored[position - 1] = true
  return isStored
}

/** What insertDelivered does. */
const receivedPart = sql`, received as (
        insert into receipts (app_id, message_id, installation_no, kind, action_id, happened_at, received_at)
        select app_id, message_id, installation_no, 'delivered', '', at, at
        from settled where state = 'delivered' and ${afterPart('days')} order by app_id, message_id, installation_no
        on conflict do nothing
      )`
