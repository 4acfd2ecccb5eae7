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

/** The usual end of a message to few: all of it went out or waits in inboxes, and there is nothing else to say. */
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

function saysLittle({ state, attempt, detail, detailCode, detailProvider }: Settled): boolean {
  return state !== 'ended' && [attempt, detail, detailCode, detailProvider].every((each) => each === undefined)
}

/**
 * Deletes the batches that are ours and stores their deliveries, in one statement, which is its own transaction. Answers
 * for which it did. Left as they are: those that are not ours any more, and those of which a delivery is there already,
 * because the device was quicker, or must not be, because its user was deleted. Should such a delivery come at the very
 * same moment, nothing is stored, and the statement fails.
 */
export async function settlePlain(database: Database, settlements: readonly Settlement[]): Promise<boolean[]> {
  const hasLanguages = settlements.some(({ languages }) => languages)
  const inLanguages = (part: Sql) => (hasLanguages ? part : empty)
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
            platforms: ['text', listOf(({ provider = '' }) => platformOfProvider.get(provider) ?? null)],
            in_inbox: ['text', listOf((settled, { message }) => isForInbox(message, settled))],
            times: ['text', listOf(({ at }) => at.getTime())],
            ...(hasLanguages && { languages: ['text', listOf(languageOf)] as const }),
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
          ${inLanguages(sql`, s.language`)}
        from ended e
        cross join lateral unnest(e.numbers::bigint[], e.states::text[], e.providers::text[], e.platforms::text[],
                                  e.in_inbox::boolean[], e.times::float8[] ${inLanguages(sql`, e.languages::text[]`)})
          as s(installation_no, state, provider, platform, in_inbox, at ${inLanguages(sql`, language`)})
      ), made as (
        insert into deliveries (app_id, message_id, installation_no, state, provider, in_inbox, sent_at, updated_at ${inLanguages(sql`, language`)})
        select app_id, message_id, installation_no, state, provider, in_inbox, case when state = 'sent' then at end, at ${inLanguages(sql`, language`)}
        from settled order by app_id, message_id, installation_no
        returning 1
      ), days as (
        ${addDaySteps(
          sql`(
            select app_id, installation_no, platform, at, ${levels.queued}::int as passed, ${levels.sent}::int as reached, 1 as count
            from settled where state = 'sent' and ${afterPart('made')})`,
          counterSlot(settlements.length),
        )}
      )
      select position::int from ended`,
    hasLanguages ? 'settle-plain-in-languages' : 'settle-plain',
  )
  const isStored = settlements.map(() => false)
  for (const { position } of rows) isStored[position - 1] = true
  return isStored
}

function languageOf({ installationNo }: Settled, { languages }: Settlement): string | null {
  return languages?.get(installationNo) ?? null
}

/** In PostgreSQL's notation; of values that mean nothing else in it. */
function listOf(read: (settled: Settled, settlement: Settlement) => string | number | boolean | null) {
  return (settlement: Settlement) => `{${settlement.settled.map((each) => `${read(each, settlement)}`).join(',')}}`
}
