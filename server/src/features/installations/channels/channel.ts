/**
 * [channels.md#names] A channel is everybody's (public) or one user's own (private); `default` is public and holds
 * everybody.
 */
export interface Channel {
  isPrivate: boolean
  name: string
}

export const defaultChannel: Channel = { isPrivate: false, name: 'default' }

/**
 * As a message names it: `x`, `public/x`, `/public/x` are public; `private/x`, `/private/x` private; empty is the
 * default.
 */
export function readChannel(text: string): Channel {
  const path = text.replace(/^\//, '')
  if (path.startsWith('private/')) return { isPrivate: true, name: path.slice(8) }
  const name = path.startsWith('public/') ? path.slice(7) : path
  return name === '' ? defaultChannel : { isPrivate: false, name }
}

export function isDefault(channel: Channel): boolean {
  return !channel.isPrivate && channel.name === 'default'
}

/** As an installation's list of subscriptions has it: `public/x`, or a bare `x` for the user's own. */
export function subscriptionOf(channel: Channel): string {
  return channel.isPrivate ? channel.name : `public/${channel.name}`
}

/** What of a client's list is worth keeping: everybody is on `default` without saying so. */
export function readSubscriptions(list: readonly string[]): string[] {
  const kept = list.map((item) => item.replace(/^\//, '').replace(/^private\//, ''))
  return [...new Set(kept)].filter((item) => item !== '' && item !== 'default' && item !== 'public/default')
}
