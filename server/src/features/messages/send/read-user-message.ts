import type { PersonalMessage } from '@peyk/contract'
import { limits } from '#base/config.ts'
import { isTemplate } from '../rendering/template-engine.ts'

export interface UserMessageInput {
  from: { installationId: string; userId: string }
  /** A user id, or `public` for everybody on the channel. */
  to: string
  channel: string
  /** `{content, channel, user, id, createdAt}`, unread. */
  sent: unknown
}

const maxIdLength = 200

/**
 * What a client publishes as a message that a back end could send, to one user or to everybody (`*`). Undefined when it
 * is none: without a text, or with a template in it, which would show one user what belongs to another.
 */
export function readUserMessage({
  to,
  channel,
  sent,
}: Pick<UserMessageInput, 'to' | 'channel' | 'sent'>):
  | { message: PersonalMessage; id: string | undefined }
  | undefined {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined
  const { content, id } = sent as { content?: unknown; id?: unknown }
  if (typeof content !== 'string' || content === '' || isTemplate(content)) return undefined
  if (Buffer.byteLength(channel) > limits.nameBytes) return undefined
  const isToAll = to === 'public' || to === '*'
  const name = channel === 'default' ? 'default' : `${isToAll ? 'public' : 'private'}/${channel}`
  const key = typeof id === 'number' ? String(id) : id
  const hasId = typeof key === 'string' && key !== '' && key.length <= maxIdLength
  return {
    message: { user: isToAll ? '*' : to, content, channel: name },
    id: hasId ? key : undefined,
  }
}
