import sql, { type Sql } from 'sql-template-tag'

/** A batch that was taken so often has a fault of its own: nothing waits behind it any longer. */
const mostAttempts = 5

/**
 * Personal messages that are still on their way into inboxes, for the rows (app_id, installation_no, up_to) of `asked`:
 * they were accepted before the message `up_to`, and have no delivery yet. A slower process may have them in hand, or
 * one that has died. What was accepted later does not pass them. Not waited for are group sends, which may take
 * minutes, and what a provider wants to have later: a batch that was put back is in nobody's hands. To be read in the
 * statement that reads the inbox, so that both are of one moment. `offset 0` keeps PostgreSQL to the index of what is on
 * its way and to one lookup for each delivery, whatever it believes about the tables.
 */
export function earlierInWork(asked: Sql): Sql {
  return sql`
    select listed.app_id, listed.installation_no, listed.message_id
    from (
      select b.app_id, b.message_id, each.installation_no
      from (select app_id, max(up_to::text collate "C")::uuid as up_to from (${asked}) of_app group by app_id) p
      cross join lateral (
        select app_id, message_id, installation_nos from delivery_batches
        where app_id = p.app_id and message_id < p.up_to
          and lane = 'personal' and (lease_holder is not null or attempts = 0)
          and state = 'queued' and attempts <= ${mostAttempts}
        order by message_id offset 0
      ) b
      cross join lateral unnest(b.installation_nos) as each(installation_no)
    ) listed
    join (select distinct app_id, installation_no from (${asked}) of_installation) a
      on a.app_id = listed.app_id and a.installation_no = listed.installation_no
    left join lateral (
      select state from deliveries
      where app_id = listed.app_id and message_id = listed.message_id and installation_no = listed.installation_no offset 0
    ) stored on true
    where stored.state is null`
}
