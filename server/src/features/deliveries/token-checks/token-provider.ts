import sql from 'sql-template-tag'

/**
 * What choose-path.ts reads from a token, for installation details `d`: Apple's tokens are hexadecimal, a browser's
 * subscription is an object. The regular expression is the slow part (with the length in it, {64,200}, it would be slower
 * still), and Google's tokens have a colon, which is found in a fraction of the time.
 */
export const isApnsToken = sql`(
  length(d.device_token) between 64 and 200 and strpos(d.device_token, ':') = 0 and d.device_token !~ '[^0-9a-fA-F]')`

export const isWebPushToken = sql`left(d.device_token, 1) = '{'`

/** The stream of the work-list that an installation belongs into. Without a token it waits for no provider. */
export const streamOfToken = sql`case
  when coalesce(d.device_token, '') = '' then 'mixed' when ${isWebPushToken} then 'webpush' when ${isApnsToken} then 'apns' else 'fcm' end`
