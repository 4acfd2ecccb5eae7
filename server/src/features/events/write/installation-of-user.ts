import sql, { type Sql } from 'sql-template-tag'

/**
 * The installation that an event of the user `u` is put down to [choices 16, 35], as a row `installation_no` or none: that
 * of the newest login. One that is uninstalled or logged out counts when there is no other; one that is somebody else's
 * now never does.
 */
export function installationOfUser(isAskedFor: Sql): Sql {
  return sql`(
    select installation_no from (
      select installation_no, logged_in_at, uninstalled_at is null as is_present from installations
      where app_id = u.app_id and user_no = u.user_no and ${isAskedFor}
      union all
      select installation_no, logged_in_at, false from installations
      where app_id = u.app_id and login_user_no = u.user_no and is_guest and ${isAskedFor}) own
    order by is_present desc, logged_in_at desc, installation_no desc limit 1)`
}
