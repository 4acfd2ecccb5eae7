import type { MessageContent } from '../../messages/compose/compose-message.ts'
import type { HandOverRules } from './decide-hand-over.ts'

/** Undefined for a transactional message. */
export function rulesOf(body: MessageContent, expiresAt: Date): HandOverRules | undefined {
  const { category, quietHours, whenCapped = 'drop', silent: isSilent = false, live: isLive = false } = body
  if (category === undefined) return undefined
  return { category, respectsQuietHours: quietHours !== 'ignore', whenCapped, isSilent, isLive, expiresAt }
}
