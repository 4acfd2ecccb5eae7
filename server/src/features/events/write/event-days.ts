import sql, { type Sql } from 'sql-template-tag'

/** Of an event's row: the day it counts for, and the currency under which its revenue does. */
export const dayOfEvent = (at: Sql): Sql => sql`(${at} at time zone 'UTC')::date`
export const currencyOfEvent = sql`
  case when revenue is null or currency is null or octet_length(currency) > 255 then ''
    else upper(currency collate "C") end collate "C"`

/** Adds events, rows of (app_id, name, at, revenue, currency), to the counts of their days. Sorted, as all writers do. */
export function addEventDays(events: Sql, slot: number): Sql {
  return sql`
    insert into event_days as d (app_id, name, day, currency, slot, count, revenue)
    select app_id, name collate "C", ${dayOfEvent(sql`at`)}, ${currencyOfEvent}, ${slot}::smallint, count(*), coalesce(sum(revenue), 0)
    from ${events} group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (app_id, name, day, currency, slot) do update
    set count = d.count + excluded.count, revenue = d.revenue + excluded.revenue`
}
