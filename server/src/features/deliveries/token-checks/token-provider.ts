import sql from 'sql-template-tag'

/**
 * What choose-path.ts reads from a token, for installation details `d`: Apple's tokens are hexadecimal, a browser's
 * subscription is an object. Counting bytes is free, whereas counting characters took most of the time. Google's tokens
 * have a colon, so that the regular expression (slower still with the length in it) only reads Apple's.
 */
export const isApnsToken = sql`(
  octet_length(d.device_token) between 64 and 200 and strpos(d.device_token, ':') = 0 and d.device_token !~ '[^0-9a-fA-F]')`

export const isWebPushToken = sql`left(d.device_token, 1) = '{'`

/** The stream of the work-list that an installation belongs into. Without a token it waits for no provider. */
export const streamOfToken = sql`case
  when coalesce(d.device_token, '') = '' then 'mixed' when ${isWebPushToken} then 'webpush' when ${isApnsToken} then 'apns' else 'fcm' end`
