import type { MessageLine } from '@peyk/contract'

export type MessageStatus = 'waiting' | 'sending' | 'paused' | 'cancelled' | 'done' | 'nobody'

/** How a message stands, in one word. */
export function statusOf({ cancelledAt, count, progress }: Pick<MessageLine, 'cancelledAt' | 'count' | 'progress'>) {
  return judge(cancelledAt !== undefined, count, progress)
}

function judge(isCancelled: boolean, count: number, progress: MessageLine['progress']): MessageStatus {
  if (isCancelled) return 'cancelled'
  if (count === 0) return 'nobody'
  if (progress.paused) return 'paused'
  if (progress.waiting === 0) return 'done'
  return progress.settled === 0 ? 'waiting' : 'sending'
}

/** It can still be held or called back. */
export function isUnderWay(status: MessageStatus): boolean {
  return status === 'waiting' || status === 'sending' || status === 'paused'
}
