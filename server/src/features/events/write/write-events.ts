import sql, { empty, raw } from 'sql-template-tag'
import { counterSlot } from '#base/counter-slot.ts'
import { afterPart } from '#base/store/after-part.ts'
import { plainArray } from '#base/store/plain-array.ts'
import type { Transaction } from '#base/store/store.ts'
import type { EventDraft } from '../event.ts'
import { counterKey } from './counter-key.ts'
import { addCounters, counterColumns, countRows } from './counter-rows.ts'
import { addEventDays } from './event-days.ts'

/** A draft whose owner was found. */
export interface EventRow {
  draft: EventDraft
  userNo: number
  /** Null: it stays with the user alone. */
  installationNo: number | null
}

/**
 * Stores the events and adds them to the counters, in one statement. Its parts follow one another: each waits for the
 * counters before it, because PostgreSQL runs parts that do not read one another in an order of its own.
 */
export async function writeEvents(tx: Transaction, rows: readonly EventRow[]): Promise<void> {
  const hasAlone = rows.some((row) => row.installationNo === null)
  const afterAlone = hasAlone ? sql` and ${afterPart('alone')}` : empty
  const columns = toColumns(rows)
  await tx.query(
    sql`
      with incoming as (
        select app_id, id, user_no, installation_no, to_timestamp(at / 1000) as at, name, key collate "C" as key, value,
          revenue, currency, influence_id, is_direct, nullif(data, 'null') as data, position
        from rows from (
          unnest(${plainArray(columns.appIds)}::int[], ${plainArray(columns.ids)}::uuid[],
                 ${plainArray(columns.userNos)}::bigint[], ${plainArray(columns.installationNos)}::bigint[],
                 ${plainArray(columns.times)}::float8[], ${columns.names}::text[], ${columns.keys}::text[],
                 ${plainArray(columns.values)}::numeric[], ${plainArray(columns.revenues)}::numeric[],
                 ${columns.currencies}::text[], ${plainArray(columns.influenceIds)}::uuid[],
                 ${plainArray(columns.directs)}::boolean[]),
          jsonb_array_elements(${JSON.stringify(columns.data)}::jsonb)
        ) with ordinality as i(app_id, id, user_no, installation_no, at, name, key, value, revenue, currency,
                               influence_id, is_direct, data, position)
      ), stored as (
        insert into events (app_id, id, user_no, installation_no, event_at, name, data, revenue, currency,
                            influence_message_id, influence_direct)
        select app_id, id, user_no, installation_no, at, name, data, revenue, currency, influence_id, is_direct
        from incoming
      ), counted as (
        select app_id, user_no, installation_no, key, at, value, position from incoming
        union all
        select app_id, user_no, installation_no, 'purchase', at, value, position from incoming
        where revenue is not null and key <> 'purchase'
      )${hasAlone ? aloneParts : empty}, counters as (
        insert into event_counters as c (app_id, installation_no, ${counterColumns})
        ${countRows(sql`counted where installation_no is not null and key <> ''${afterAlone}`, raw('installation_no'))}
        on conflict (app_id, event_key, installation_no) do update set ${addCounters}
        returning 1
      )
      ${addEventDays(sql`incoming where ${afterPart('counters')}${afterAlone}`, counterSlot(rows.length))}`,
    hasAlone ? 'write-events-alone' : 'write-events',
  )
}

/**
 * Events of users without an installation are counted with the user, under the key '' too where they count for nothing
 * else: adoptUserEvents looks here for who has such events. A user who has an installation by now, which was not seen
 * when it was looked for, is left to it; the row is locked even if it is there, so that it is not settled before this commits.
 */
const aloneParts = sql`, late as (
        insert into event_adoptions (app_id, user_no, installation_no)
        select u.app_id, u.user_no, found.installation_no
        from (select distinct app_id, user_no from incoming where installation_no is null) u
        cross join lateral (
          select i.installation_no from installations i
          where i.app_id = u.app_id and i.user_no = u.user_no
          order by i.logged_in_at limit 1) found
        order by u.app_id, u.user_no
        on conflict (app_id, user_no) do update set installation_no = event_adoptions.installation_no
        returning 1
      ), alone as (
        insert into user_event_counters as c (app_id, user_no, ${counterColumns})
        ${countRows(sql`counted where installation_no is null and ${afterPart('late')}`, raw('user_no'))}
        on conflict (app_id, user_no, event_key) do update set ${addCounters}
        returning 1
      )`

/** Columns that are rare stay empty when no event has them: PostgreSQL fills up with nulls. */
function toColumns(rows: readonly EventRow[]) {
  const columns = {
    appIds: [] as number[],
    ids: [] as string[],
    userNos: [] as number[],
    installationNos: [] as (number | null)[],
    times: [] as number[],
    names: [] as string[],
    keys: [] as string[],
    values: [] as (number | null)[],
    revenues: [] as (number | null)[],
    currencies: [] as (string | null)[],
    influenceIds: [] as (string | null)[],
    directs: [] as (boolean | null)[],
    data: [] as unknown[],
  }
  const hasRevenue = rows.some((row) => row.draft.revenue !== null)
  const hasInfluence = rows.some((row) => row.draft.influence !== null)
  for (const { draft, userNo, installationNo } of rows) {
    columns.appIds.push(draft.appId)
    columns.ids.push(draft.id)
    columns.userNos.push(userNo)
    columns.installationNos.push(installationNo)
    columns.times.push(draft.eventAt)
    columns.names.push(draft.name)
    columns.keys.push(counterKey(draft))
    columns.values.push(draft.value)
    columns.data.push(draft.data)
    if (hasRevenue) {
      columns.revenues.push(draft.revenue)
      columns.currencies.push(draft.currency)
    }
    if (hasInfluence) {
      columns.influenceIds.push(draft.influence?.messageId ?? null)
      columns.directs.push(draft.influence?.isDirect ?? null)
    }
  }
  return columns
}
