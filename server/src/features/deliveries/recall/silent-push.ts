import sql from 'sql-template-tag'

/**
 * Whether a push that shows nothing reaches the installation `i` with its details `d`, as a condition. Safari takes the
 * permission from a site that sends such pushes: its devices are told over their connection alone.
 */
export const takesSilentPush = sql`(i.uninstalled_at is null and d.token_provider is not null
  and not d.is_denied and d.device_token not like '%.push.apple.com%')`
