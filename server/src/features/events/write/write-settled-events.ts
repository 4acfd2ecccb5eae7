import sql, { raw } from 'sql-template-tag'
import { counterSlot } from '#base/counter-slot.ts'
import { afterPart } from '#base/store/after-part.ts'
import { plainArray } from '#base/store/plain-array.ts'
import type { Database } from '#base/store/store.ts'
import type { EventDraft } from '../event.ts'
import { counterKey } from './counter-key.ts'
import { addCounters, counterColumns, countRows } from './counter-rows.ts'
import { addEventDays } from './event-days.ts'
import { installationOfUser } from './installation-of-user.ts'

/**
 * Stores the events that have an installation, and adds them to the counters. The installation is the one that was
 * named, else the user's latest, as findSubjects() finds it. All in one statement, which is its own transaction. Answers
 * which ones it stored; the others (new users, users without a device, mistakes) need a closer look. So do those of a
 * user who was made after the oldest of them came, because another of that name may have been deleted meanwhile.
 */
export async function writeSettledEvents(database: Database, drafts: readonly EventDraft[]): Promise<boolean[]> {
  const stored = new Array<boolean>(drafts.length).fill(false)
  const columns = toColumns(drafts)
  const oldest = new Date(
    drafts.reduce((least, { begunAt }) => Math.min(least, begunAt), Number.POSITIVE_INFINITY),
  ).toISOString()
  const [row] = await database.query<{ positions: number[] | null }>(
    sql`
      with incoming as (
        select app_id, user_id, installation_id, id, to_timestamp(at / 1000) as at, name, key collate "C" as key, value,
          revenue, currency, nullif(data, 'null') as data, position
        from rows from (
          unnest(${plainArray(columns.appIds)}::int[], ${columns.userIds}::text[], ${plainArray(columns.installationIds)}::uuid[],
                 ${plainArray(columns.ids)}::uuid[], ${plainArray(columns.times)}::float8[], ${columns.names}::text[],
                 ${columns.keys}::text[], ${plainArray(columns.values)}::numeric[], ${plainArray(columns.revenues)}::numeric[],
                 ${columns.currencies}::text[]),
          jsonb_array_elements(${JSON.stringify(columns.data)}::jsonb)
        ) with ordinality as i(app_id, user_id, installation_id, id, at, name, key, value, revenue, currency, data, position)
      ), owned as materialized (
        select n.*, owner.user_no, owner.installation_no
        from incoming n
        left join users u on u.app_id = n.app_id and u.user_id = n.user_id and u.created_at <= ${oldest}::timestamptz
        cross join lateral (
          select user_no, installation_no from installations
          where app_id = n.app_id and id = n.installation_id and (n.user_id is null or user_no = u.user_no)
          union all
          select u.user_no, own.installation_no
          from (select ${installationOfUser} as installation_no where n.installation_id is null offset 0) own
          where own.installation_no is not null) owner
      ), stored as (
        insert into events (app_id, id, user_no, installation_no, event_at, name, data, revenue, currency)
        select app_id, id, user_no, installation_no, at, name, data, revenue, currency from owned
      ), counted as (
        select app_id, installation_no, key, at, value, position from owned
        union all
        select app_id, installation_no, 'purchase', at, value, position from owned
        where revenue is not null and key <> 'purchase'
      ), counters as (
        insert into event_counters as c (app_id, installation_no, ${counterColumns})
        ${countRows(sql`counted where key <> ''`, raw('installation_no'))}
        on conflict (app_id, event_key, installation_no) do update set ${addCounters}
        returning 1
      ), days as (
        ${addEventDays(sql`owned where ${afterPart('counters')}`, counterSlot(drafts.length))}
      )
      select array_agg(position::int) as positions from owned`,
    'write-settled-events',
  )
  for (const position of row?.positions ?? []) stored[position - 1] = true
  return stored
}

/** Columns that are rare stay empty when no event has them: PostgreSQL fills up with nulls. */
function toColumns(drafts: readonly EventDraft[]) {
  const columns = {
    appIds: [] as number[],
    userIds: [] as (string | undefined)[],
    installationIds: [] as (string | null)[],
    ids: [] as string[],
    times: [] as number[],
    names: [] as string[],
    keys: [] as string[],
    values: [] as (number | null)[],
    revenues: [] as (number | null)[],
    currencies: [] as (string | null)[],
    data: [] as unknown[],
  }
  const hasInstallation = drafts.some((draft) => draft.installationId !== undefined)
  const hasRevenue = drafts.some((draft) => draft.revenue !== null)
  for (const draft of drafts) {
    columns.appIds.push(draft.appId)
    columns.userIds.push(draft.userId)
    columns.ids.push(draft.id)
    columns.times.push(draft.eventAt)
    columns.names.push(draft.name)
    columns.keys.push(counterKey(draft))
    columns.values.push(draft.value)
    columns.data.push(draft.data)
    if (hasInstallation) columns.installationIds.push(draft.installationId ?? null)
    if (hasRevenue) {
      columns.revenues.push(draft.revenue)
      columns.currencies.push(draft.currency)
    }
  }
  return columns
}
