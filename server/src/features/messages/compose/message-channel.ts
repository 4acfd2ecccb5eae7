import { RequestError } from '#base/errors.ts'
import { readChannel, subscriptionOf } from '../../installations/channels/channel.ts'

export interface MessageChannel {
  /** As it is kept and shown: `default`, `public/x` or `private/x`. */
  name: string
  isPrivate: boolean
  /** What an installation must have subscribed to; undefined where everybody is. */
  subscription: string | undefined
}

/** [channels.md#names] Everybody is on `default`, the public one and their own. */
export function readMessageChannel(sent: string): MessageChannel {
  const channel = readChannel(sent)
  const { isPrivate, name } = channel
  if (name === '') {
    throw new RequestError('invalid-request', `"channel": expected a name after "private/", got "${sent}".`, {
      details: { field: 'channel' },
    })
  }
  if (name === 'default') return { name: isPrivate ? 'private/default' : 'default', isPrivate, subscription: undefined }
  return { name: `${isPrivate ? 'private' : 'public'}/${name}`, isPrivate, subscription: subscriptionOf(channel) }
}
