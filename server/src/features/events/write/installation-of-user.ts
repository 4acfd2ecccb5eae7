import sql from 'sql-template-tag'

/**
 * The number of the installation that an event of the user `u` is put down to
 * [users-and-events.md#installations-and-users, users-and-events.md#events], or null: that of the newest login. One
 * that is uninstalled or logged out counts when there is no other, and is looked for only then; one that is somebody
 * else's now never does. Where its answer is used more than once, `offset 0` around it keeps PostgreSQL from looking it
 * up each time.
 */
export const installationOfUser = sql`coalesce(
    (select installation_no from installations
     where app_id = u.app_id and user_no = u.user_no and uninstalled_at is null
     order by logged_in_at desc, installation_no desc limit 1),
    (select installation_no from (
       select installation_no, logged_in_at from installations
       where app_id = u.app_id and user_no = u.user_no
       union all
       select installation_no, logged_in_at from installations
       where app_id = u.app_id and login_user_no = u.user_no and is_guest) own
     order by logged_in_at desc, installation_no desc limit 1))`
