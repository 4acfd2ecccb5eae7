import type { MessageContent } from '../../messages/compose/compose-message.ts'
import { testOf } from '../variants/assign-variant.ts'
import type { HandOverRules } from './decide-hand-over.ts'

/** Undefined for a transactional message that is no test: nothing keeps it back. */
export function rulesOf(body: MessageContent, expiresAt: Date): HandOverRules | undefined {
  const { category, quietHours, whenCapped = 'drop', silent: isSilent = false, live: isLive = false } = body
  if (category === undefined && !testOf(body)) return undefined
  return { category, respectsQuietHours: quietHours !== 'ignore', whenCapped, isSilent, isLive, expiresAt }
}
