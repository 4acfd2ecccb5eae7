import type { MessageDetail, MessageLine } from '@peyk/contract'

export type MessageStatus =
  | 'scheduled'
  | 'waiting'
  | 'sending'
  | 'pausing'
  | 'paused'
  | 'stopped'
  | 'stopping'
  | 'cancelled'
  | 'tooLate'
  | 'recalled'
  | 'done'
  | 'nobody'

/** How a message stands, in one word. */
export function statusOf(
  message: Pick<MessageLine, 'cancelledAt' | 'recalledAt' | 'count' | 'progress'> & { state?: MessageDetail['state'] },
): MessageStatus {
  if (message.recalledAt !== undefined) return 'recalled'
  const { cancelledAt, count, progress } = message
  // One with a local time has started when some wait, and goes on by itself.
  if (message.state === 'scheduled' && progress.waiting + progress.settled === 0) return 'scheduled'
  return judge(cancelledAt !== undefined, count, progress)
}

function judge(isCancelled: boolean, count: number, progress: MessageLine['progress']): MessageStatus {
  if (isCancelled) return judgeCancelled(count, progress)
  if (count === 0) return 'nobody'
  // Where nothing is kept back and nothing is on its way, its SMS wait.
  if (progress.paused) return keptBack(progress) > 0 || !progress.inFlight ? 'paused' : 'pausing'
  if (progress.stopped) return 'stopped'
  if (progress.waiting === 0) return 'done'
  return progress.settled === 0 ? 'waiting' : 'sending'
}

/** What is with the providers goes out in spite of it; when that is all, it was cancelled in vain. */
function judgeCancelled(count: number, { waiting, cancelled = 0 }: MessageLine['progress']): MessageStatus {
  if (waiting > 0) return 'stopping'
  return count > 0 && cancelled === 0 ? 'tooLate' : 'cancelled'
}

/** It goes later, or was cancelled before: a message that was scheduled is created anew when it starts. */
export function hasNotStarted(
  message: Pick<MessageDetail, 'sendAt' | 'createdAt' | 'cancelledAt' | 'count' | 'progress' | 'state'>,
): boolean {
  const { sendAt, createdAt } = message
  return (sendAt !== undefined && createdAt < sendAt) || statusOf(message) === 'scheduled'
}

/** Devices that wait, some of them for what is in their inbox, and to which it is not being handed over at this moment. */
export function keptBack({ waiting, inInbox = 0, inFlight = 0 }: MessageLine['progress']): number {
  return waiting + inInbox - inFlight
}

/** It can still be held or called back. */
export function isUnderWay(status: MessageStatus): boolean {
  return status === 'waiting' || status === 'sending' || status === 'stopped' || isHeld(status)
}

/** It is on a device, or may be, and was not taken back yet. */
export function isRecallable({
  recalledAt,
  states,
  reasons,
}: Pick<MessageDetail, 'recalledAt' | 'states' | 'reasons'>): boolean {
  return recalledAt === undefined && states.sent + reasons.unknown > 0
}

export function isHeld(status: MessageStatus): boolean {
  return status === 'paused' || status === 'pausing'
}
