import sql, { empty, type Sql } from 'sql-template-tag'
import { counterSlot } from '../../../base/counter-slot.ts'
import { afterPart } from '../../../base/store/after-part.ts'
import type { Database } from '../../../base/store/store.ts'
import { unnestRows } from '../../../base/store/unnest-rows.ts'
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
  const hasLanguages = settlements.some(({ languages }) => languages)
  const hasDetails = settlements.some(({ settled }) => settled.some(({ detailCode }) => detailCode))
  const areDelivered = settlements.some(({ settled }) => settled.some(({ state }) => state === 'delivered'))
  const inLanguages = (part: Sql) => (hasLanguages ? part : empty)
  const withDetails = (part: Sql) => (hasDetails ? part : empty)
  const rows = await database.query<{ position: number }>(
    sql`
      with ended as (
        delete from delivery_batches b
        using ${unnestRows(
          settlements,
          'k',
          {
            app_id: ['int', ({ appId }) => appId],
            batch_no: ['bigint', ({ batchNo }) => batchNo],
            holder: ['uuid', ({ lease }) => lease.holder],
            message_id: ['uuid', ({ message }) => message.id],
            numbers: ['text', listOf(({ installationNo }) => installationNo)],
            states: ['text', listOf(({ state }) => state)],
            providers: ['text', listOf(({ provider }) => provider ?? null)],
            platforms: [
              'text',
              listOf(({ platform, provider = '' }) => platform ?? platformOfProvider.get(provider) ?? null),
            ],
            in_inbox: ['text', listOf((settled, { message }) => isForInbox(message, settled))],
            times: ['text', listOf(({ at }) => at.getTime())],
            ...(hasLanguages && { languages: ['text', listOf(languageOf)] as const }),
            ...(hasDetails && {
              codes: ['text', listOf(({ detailCode }) => detailCode ?? null)] as const,
              code_providers: ['text', listOf(({ detailProvider }) => detailProvider ?? null)] as const,
            }),
          },
          { position: 'position' },
        )}
        where b.app_id = k.app_id and b.batch_no = k.batch_no and b.lease_holder = k.holder
          and not exists (
            select from unnest(k.numbers::bigint[]) as n(installation_no)
            where ${isForgottenInstallation(sql`k.app_id`, sql`n.installation_no`)} or exists (
              select from deliveries d
              where d.app_id = k.app_id and d.message_id = k.message_id and d.installation_no = n.installation_no offset 0))
        returning k.*
      ), settled as materialized (
        select e.app_id, e.message_id, s.installation_no, s.state, s.provider, s.platform, s.in_inbox, to_timestamp(s.at / 1000) as at
          ${inLanguages(sql`, s.language`)} ${withDetails(sql`, s.detail_code, s.detail_provider`)}
        from ended e
        cross join lateral unnest(e.numbers::bigint[], e.states::text[], e.providers::text[], e.platforms::text[],
                                  e.in_inbox::boolean[], e.times::float8[] ${inLanguages(sql`, e.languages::text[]`)}
                                  ${withDetails(sql`, e.codes::text[], e.code_providers::text[]`)})
          as s(installation_no, state, provider, platform, in_inbox, at ${inLanguages(sql`, language`)} ${withDetails(sql`, detail_code, detail_provider`)})
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

function languageOf({ installationNo }: Settled, { languages }: Settlement): string | null {
  return languages?.get(installationNo) ?? null
}

/** In PostgreSQL's notation; of values that mean nothing else in it. */
function listOf(read: (settled: Settled, settlement: Settlement) => string | number | boolean | null) {
  return (settlement: Settlement) => `{${settlement.settled.map((each) => `${read(each, settlement)}`).join(',')}}`
}
