import type { AnyNotification } from '@peyk/contract'
import type { ScheduledMessage } from './scheduled-message.ts'

/** Whom it goes to, as a request says it. */
export function receiversOf({ userIds, target }: Pick<ScheduledMessage, 'userIds' | 'target'>): AnyNotification {
  if (userIds) return { users: userIds }
  if (!target) return { user: '*' }
  return 'segment' in target ? { segment: target.segment as never } : { target: target.target as never }
}
