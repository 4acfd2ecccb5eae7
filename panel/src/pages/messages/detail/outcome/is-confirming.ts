import type { MessageDetail } from '@peyk/contract'

/** Devices that are online have confirmed a message by then. */
const usuallyMs = 2 * 60_000

/** It was sent only just now: confirmations are still coming in. */
export function isConfirming(
  { progress, createdAt }: Pick<MessageDetail, 'progress' | 'createdAt'>,
  now: number,
): boolean {
  return progress.waiting > 0 || now < (progress.finishedAt ?? createdAt) + usuallyMs
}
