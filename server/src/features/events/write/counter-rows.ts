import sql, { type Sql } from 'sql-template-tag'

/**
 * The counters of one batch of events, per owner and key, from rows (app_id, owner, key, at, value, position). Sums are
 * numeric, so that money adds up exactly. Sorted, so that two transactions never wait for each other.
 */
export function countRows(counted: Sql, owner: Sql): Sql {
  return sql`
    select app_id, ${owner}, key, count(*), min(at), max(at), count(value), sum(value), min(value), max(value),
      (array_agg(value order by at desc, position desc) filter (where value is not null))[1],
      max(at) filter (where value is not null)
    from ${counted}
    group by app_id, key, ${owner}
    order by app_id, key, ${owner}`
}

export const counterColumns = sql`event_key, count, first_at, last_at, value_count, value_sum, value_min, value_max, value_last, value_last_at`

/** Adds new counters (excluded) to those that are there (c). The last value is the one of the newest event. */
export const addCounters = sql`
  count = c.count + excluded.count,
  first_at = least(c.first_at, excluded.first_at),
  last_at = greatest(c.last_at, excluded.last_at),
  value_count = c.value_count + excluded.value_count,
  value_sum = coalesce(c.value_sum + excluded.value_sum, c.value_sum, excluded.value_sum),
  value_min = least(c.value_min, excluded.value_min),
  value_max = greatest(c.value_max, excluded.value_max),
  value_last = case when excluded.value_last_at is null or excluded.value_last_at < c.value_last_at
    then c.value_last else excluded.value_last end,
  value_last_at = greatest(c.value_last_at, excluded.value_last_at)`
