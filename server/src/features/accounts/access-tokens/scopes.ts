/** [requests.md#access-tokens] `server` covers everything; the four after it are parts of it. */
export const scopes = ['server', 'push', 'tags', 'events', 'promo', 'client', 'read'] as const
export type Scope = (typeof scopes)[number]
