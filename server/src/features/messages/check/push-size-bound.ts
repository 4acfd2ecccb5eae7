import { limits } from '#base/config.ts'
import type { Draft } from '../accept/draft-message.ts'
import { hasWordings } from '../payloads/compile-wordings.ts'

/** All that a payload holds besides the message's own fields: names of fields, ids, times, and the app's name. */
const envelopeBytes = 1_000 + 2 * limits.nameBytes
const bytesPerVibration = 12
/** The direction of a language, which is written where the message has none. */
const directionBytes = 64

/**
 * No push of the message, in any wording, is larger than this, whatever the app's name; the app's own text and icon
 * come on top. FCM's data holds JSON inside JSON, where quotes and backslashes are written with one more backslash each.
 */
export function boundPushSize({ body, trackId = '' }: Pick<Draft, 'body' | 'trackId'>): number {
  const json = JSON.stringify(body)
  let bytes = envelopeBytes + Buffer.byteLength(json) + 6 * trackId.length
  bytes += (body.notification?.vibrate?.length ?? 0) * bytesPerVibration
  // What FCM displays itself is in its options and in the data.
  if (body.autoNotify && body.notification) bytes += Buffer.byteLength(JSON.stringify(body.notification))
  const { contents, variants } = body
  const isWorded = hasWordings(body)
  if (isWorded) bytes += directionBytes
  if (isWorded && body.autoNotify) bytes += Buffer.byteLength(JSON.stringify({ contents, variants }))
  if (!body.data && !body.notification?.actions && !isWorded) return bytes
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === 0x22 || code === 0x5c) bytes++
  }
  return bytes
}
