import type { DrawnPush } from './draw-notification.ts'
import { PhoneError } from './phone-error.ts'
import type { NotificationState, PhoneState, ShownNotification, Way } from './phone-state.ts'

const maxNotifications = 50
const maxSeen = 500

/** Shows each message once, by whichever ways it comes. Answers what is on the screen now and was not before. */
export function showOnce(
  state: PhoneState,
  drawn: DrawnPush & { messageId: string },
  via: Way,
): ShownNotification | undefined {
  const { messageId, notification } = drawn
  if (state.seen.includes(messageId)) return undefined
  state.seen = [...state.seen, messageId].slice(-maxSeen)
  if (!notification || state.permission === 'denied') return undefined
  const shown: ShownNotification = { messageId, via, ...notification, shownAt: Date.now(), state: 'shown' }
  const others = state.notifications.filter((other) => shown.tag === undefined || other.tag !== shown.tag)
  state.notifications = [...others, shown].slice(-maxNotifications)
  return shown
}

/** The message was recalled: it is nowhere to be seen, also where its push comes later than this. */
export function clearMessage(state: PhoneState, messageId: string): void {
  state.seen = [...state.seen.filter((other) => other !== messageId), messageId].slice(-maxSeen)
  state.notifications = state.notifications.filter((other) => other.messageId !== messageId)
  state.messages = state.messages.filter((other) => other.messageId !== messageId)
}

/** The one of the message, or the newest on the screen. */
export function findNotification({ notifications, id }: PhoneState, messageId: string | undefined): ShownNotification {
  const found =
    messageId === undefined
      ? notifications.findLast(({ state }) => state === 'shown')
      : notifications.findLast((notification) => notification.messageId === messageId)
  if (found) return found
  throw new PhoneError(
    'unknown',
    messageId === undefined
      ? `Phone ${id} shows no notification.`
      : `Phone ${id} has shown no notification of message ${messageId}.`,
  )
}

/** True when it was not so before. A notification that has gone from the screen cannot be touched again. */
export function settleNotification(notification: ShownNotification, to: NotificationState): boolean {
  if (notification.state === to) return false
  if (notification.state !== 'shown') {
    throw new PhoneError(
      'not-now',
      `The notification of message ${notification.messageId} is not on the screen: it was ${notification.state}.`,
    )
  }
  notification.state = to
  return true
}
