import type { ComposedMessage } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'
import { readMessageChannel } from '../compose/message-channel.ts'

type Checked = Pick<ComposedMessage, 'product' | 'channel' | 'content' | 'target' | 'segment' | 'fallback'>

/**
 * What the endpoints of a back end would ignore for the sake of old callers [sending.md#messages-and-notifications,
 * sending.md#recipients] is refused in the panel, where it can only be a mistake: a notification for one channel would go to
 * everybody.
 */
export function checkPanelMessage({ product, channel, content, target, segment, fallback }: Checked): void {
  if (product === 'notification' && readMessageChannel(channel ?? '').name !== 'default') {
    throw fault('channel', 'A notification belongs to no channel: send a message, or choose by a rule for "channel".')
  }
  if (product === 'message' && (content === undefined || content === ''))
    throw fault('content', '"content" is required.')
  if (fallback && (target ?? segment) != null) {
    throw fault('fallback', '"fallback" needs specific users: an SMS does not go to a group.')
  }
}

function fault(field: string, message: string): RequestError {
  return new RequestError('invalid-request', message, { details: { field } })
}
