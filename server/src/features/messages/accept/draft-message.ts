import type { AnyNotification } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'
import { nextId } from '#base/ids.ts'
import { checkContents } from '../check/check-contents.ts'
import { checkLinks } from '../check/check-links.ts'
import { checkTemplates } from '../check/check-templates.ts'
import { checkTest } from '../check/check-test.ts'
import { composeMessage, type MessageContent } from '../compose/compose-message.ts'
import { expiryOf, type Product } from '../compose/expiry.ts'
import { type MessageChannel, readMessageChannel } from '../compose/message-channel.ts'
import type { AskedValues } from '../values/check-asked.ts'

/** A message that was checked and is ready to be stored. */
export interface Draft {
  appId: number
  id: string
  acceptedAt: Date
  /** When the request came. */
  begunAt: Date
  expiresAt: Date
  product: Product
  channel: MessageChannel
  trackId: string | undefined
  clientId: string | undefined
  body: MessageContent
}

/** What a send answers for it [requests.md#responses]. */
export interface Accepted {
  id: string
  count: number
  /** Of one that repeats. */
  seriesId?: string
}

export interface Acceptance extends Pick<AskedValues, 'values'> {
  appId: number
  product: Product
  at: Date
  /** When the request came; `at` where it is not said. */
  begunAt?: Date | undefined
  /** What gave `at`. */
  clock: () => Date
}

export function draftMessage(
  sent: AnyNotification,
  { appId, product, at, begunAt = at, clock, values }: Acceptance,
): Draft {
  if (sent.content === undefined && (product === 'message' || !sent.notification)) {
    const why = sent.contents ? ': it is for those who have none of the languages of "contents".' : '.'
    throw new RequestError('invalid-request', `"content" is required${why}`, { details: { field: 'content' } })
  }
  checkContents(sent)
  checkTest(sent, product)
  const body = composeMessage(sent)
  checkTemplates(body, { given: sent.values, values })
  checkLinks(body)
  return {
    appId,
    id: nextId(clock, at),
    acceptedAt: at,
    begunAt,
    expiresAt: expiryOf(sent.ttl, product, at),
    product,
    // [sending.md#messages-and-notifications] Channels do not apply to notifications.
    channel: readMessageChannel(product === 'message' ? (sent.channel ?? '') : ''),
    trackId: sent.trackId || undefined,
    clientId: sent.clientId || undefined,
    body,
  }
}
