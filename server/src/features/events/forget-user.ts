import sql, { raw, type Sql } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { type ForgottenUser, removeRows } from '../installations/users/forget-user.ts'
import { addCounters, counterColumns, countRows } from './write/counter-rows.ts'
import { currencyOfEvent, dayOfEvent } from './write/event-days.ts'

/**
 * Removes the user's events, and the user from all counters. What others did on the user's installations stays with
 * them; what the user did on installations that are others' now is taken out of the counters there. Counters are locked
 * as all writers of events lock them.
 */
export async function forgetUser(tx: Transaction, user: ForgottenUser) {
  const { appId, userNos, installationNos } = user
  const ofUser = sql`app_id = ${appId} and user_no = any(${userNos}::bigint[])`
  const ofInstallation = sql`app_id = ${appId} and installation_no = any(${installationNos}::bigint[])`
  await removeRows(tx, sql`delete from event_ids where ${ofInstallation}`)
  await removeRows(tx, sql`delete from influence_windows where ${ofInstallation}`)
  const waiting = await takeAdoptions(tx, user)
  await leaveToOthers(tx, user, waiting)
  await removeRows(tx, sql`delete from user_event_counters where ${ofUser}`)
  const mixed = await findMixedCounters(tx, user)
  await lockCounters(tx, appId, [...installationNos, ...mixed.map((counter) => counter.installationNo)])
  const gone = await removeEvents(tx, ofUser)
  await countAnew(tx, appId, mixed)
  await removeRows(tx, sql`delete from event_counters where ${ofInstallation}`)
  await recordForgotten(tx, appId, gone)
  return { events: gone.reduce((sum, { count }) => sum + count, 0) }
}

interface GoneEvents {
  name: string
  day: string
  currency: string
  count: number
}

async function removeEvents(tx: Transaction, which: Sql): Promise<GoneEvents[]> {
  return tx.query<GoneEvents>(sql`
    with gone as (
      delete from events where ${which} returning name, event_at, revenue, currency
    )
    select name, (${dayOfEvent(sql`event_at`)})::text as day, ${currencyOfEvent} as currency, count(*) as count
    from gone group by 1, 2, 3`)
}

/**
 * What was counted per day stays counted [users-and-events.md#how-long-data-is-kept], and says how many of them are
 * gone.
 */
async function recordForgotten(tx: Transaction, appId: number, gone: readonly GoneEvents[]): Promise<void> {
  if (gone.length === 0) return
  await tx.query(sql`
    insert into event_days as d (app_id, name, day, currency, slot, count, forgotten, revenue)
    select ${appId}, name collate "C", day, currency collate "C", 0, 0, count, 0
    from ${unnestRows(gone, 'g', {
      name: ['text', ({ name }) => name],
      day: ['date', ({ day }) => day],
      currency: ['text', ({ currency }) => currency],
      count: ['bigint', ({ count }) => count],
    })}
    order by 2, 3, 4
    on conflict (app_id, name, day, currency, slot) do update set forgotten = d.forgotten + excluded.forgotten`)
}

/** Answers those others whose events were just going to one of the installations: some of them may be there already. */
async function takeAdoptions(tx: Transaction, { appId, userNos, installationNos }: ForgottenUser): Promise<number[]> {
  const rows = await tx.query<{ user_no: number }>(sql`
    select user_no from event_adoptions
    where app_id = ${appId} and (user_no = any(${userNos}::bigint[]) or installation_no = any(${installationNos}::bigint[]))
    order by user_no for update`)
  const users = rows.map((row) => row.user_no)
  if (users.length > 0)
    await removeRows(tx, sql`delete from event_adoptions where app_id = ${appId} and user_no = any(${users}::bigint[])`)
  return users.filter((userNo) => !userNos.includes(userNo))
}

/**
 * Others' events on installations that go stay with their users alone, as those of users without an installation do. They
 * are counted as they move, in one statement. `waiting`: their counters still have what has moved, and are counted anew.
 */
async function leaveToOthers(
  tx: Transaction,
  { appId, userNos, installationNos }: ForgottenUser,
  waiting: number[],
): Promise<void> {
  const theirs = sql`e.app_id = ${appId} and e.installation_no = any(${installationNos}::bigint[]) and e.user_no <> all(${userNos}::bigint[])`
  const names = await readNames(tx, theirs)
  await tx.query(sql`
    select from user_event_counters
    where app_id = ${appId} and user_no in (
      select unnest(${[...userNos, ...waiting]}::bigint[]) union select e.user_no from events e where ${theirs})
    order by event_key, user_no for update`)
  if (names.length > 0)
    await tx.query(sql`
      with theirs as (
        update events e set installation_no = null where ${theirs} and e.name = any(${names}::text[]) returning e.*
      )
      insert into user_event_counters as c (app_id, user_no, ${counterColumns})
      ${countRows(sql`(${counted(names, sql`theirs e`)}) counted`, raw('user_no'))}
      on conflict (app_id, user_no, event_key) do update set ${addCounters}`)
  if (waiting.length > 0) await countAloneAnew(tx, appId, waiting)
}

async function countAloneAnew(tx: Transaction, appId: number, userNos: number[]): Promise<void> {
  await removeRows(
    tx,
    sql`delete from user_event_counters where app_id = ${appId} and user_no = any(${userNos}::bigint[])`,
  )
  const alone = sql`e.app_id = ${appId} and e.user_no = any(${userNos}::bigint[]) and e.installation_no is null`
  const names = await readNames(tx, alone)
  if (names.length === 0) return
  await tx.query(sql`
    insert into user_event_counters as c (app_id, user_no, ${counterColumns})
    ${countRows(sql`(${counted(names, sql`events e`, alone)}) counted`, raw('user_no'))}
    on conflict (app_id, user_no, event_key) do update set ${addCounters}`)
}

async function lockCounters(tx: Transaction, appId: number, installationNos: number[]): Promise<void> {
  await tx.query(sql`
    select from event_counters where app_id = ${appId} and installation_no = any(${installationNos}::bigint[])
    order by event_key, installation_no for update`)
}

interface MixedCounter {
  installationNo: number
  key: string
}

/** Counters of installations that stay, in which the user's events are counted with others'. */
async function findMixedCounters(tx: Transaction, { appId, userNos, installationNos }: ForgottenUser) {
  const rows = await tx.query<{ installation_no: number; name: string; has_revenue: boolean }>(sql`
    select installation_no, name, bool_or(revenue is not null) as has_revenue from events
    where app_id = ${appId} and user_no = any(${userNos}::bigint[])
      and installation_no is not null and installation_no <> all(${installationNos}::bigint[])
    group by installation_no, name`)
  const counters = new Map<string, MixedCounter>()
  for (const { installation_no, name, has_revenue } of rows) {
    for (const key of [name.toLowerCase(), ...(has_revenue ? ['purchase'] : [])]) {
      counters.set(`${installation_no} ${key}`, { installationNo: installation_no, key })
    }
  }
  return [...counters.values()]
}

/** From the events that are left. Whose the older ones were, which are dropped already, nobody can tell any more. */
async function countAnew(tx: Transaction, appId: number, mixed: readonly MixedCounter[]): Promise<void> {
  if (mixed.length === 0) return
  const numbers = mixed.map((counter) => counter.installationNo)
  const wanted = sql`unnest(${numbers}::bigint[], ${mixed.map((counter) => counter.key)}::text[])`
  await tx.query(sql`
    delete from event_counters c using ${wanted} as w(installation_no, key)
    where c.app_id = ${appId} and c.installation_no = w.installation_no and c.event_key = w.key`)
  const left = sql`e.app_id = ${appId} and e.installation_no = any(${numbers}::bigint[])`
  const names = await readNames(tx, left)
  if (names.length === 0) return
  await tx.query(sql`
    insert into event_counters (app_id, installation_no, ${counterColumns})
    ${countRows(
      sql`(select c.* from (${counted(names, sql`events e`, left)}) c
           join ${wanted} as w(installation_no, key) on w.installation_no = c.installation_no and w.key = c.key) counted`,
      raw('installation_no'),
    )}`)
}

async function readNames(tx: Transaction, which: Sql): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(sql`select distinct name from events e where ${which}`)
  return rows.map((row) => row.name)
}

/** Stored events `e` as they were counted when they came: see counterKey and writeEvents. */
function counted(names: readonly string[], events: Sql, which = sql`true`): Sql {
  const valued = sql`
    select e.app_id, e.user_no, e.installation_no, e.event_at as at, e.id as position, e.revenue,
      case when n.key = 'purchase' and e.revenue is null then '' else n.key end as key,
      coalesce(e.revenue, case when v.kind = 'number' and jsonb_typeof(e.data->'value') = 'number'
                            then (e.data->>'value')::numeric end) as value
    from ${events}
    join unnest(${[...names]}::text[], ${names.map((name) => name.toLowerCase())}::text[]) as n(name, key) on n.name = e.name
    left join event_value_names v on v.app_id = e.app_id and v.event_key = n.key and v.name = 'value'
    where ${which}`
  return sql`
    with valued as (${valued})
    select app_id, user_no, installation_no, at, position, key collate "C" as key, value from valued
    union all
    select app_id, user_no, installation_no, at, position, 'purchase', value from valued
    where revenue is not null and key <> 'purchase'`
}
