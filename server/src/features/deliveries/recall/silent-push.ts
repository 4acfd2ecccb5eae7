import sql from 'sql-template-tag'

/**
 * Whether a push that shows nothing reaches the installation `i` with its details `d`, as a condition. Safari takes the
 * permission from a site that sends such pushes: its devices are told over their connection alone.
 */
export const takesSilentPush = sql`(i.uninstalled_at is null and d.device_token <> ''
  and upper(d.token_status) is distinct from 'DENIED' and d.device_token not like '%.push.apple.com%')`
