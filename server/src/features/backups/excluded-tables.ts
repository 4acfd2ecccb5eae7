/**
 * Tables that a backup leaves empty: who was signed in to the panel, or could sign in by a link, may have been signed out
 * since, and the processes of then do not live any more.
 */
export const excludedTables: readonly string[] = ['member_sessions', 'member_links', 'connection_holders']
