import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { markScheduledCancelled } from '../schedule/schedule-store.ts'
import type { ScheduledMessage } from '../schedule/scheduled-message.ts'
import { hashScheduled } from './hash-outgoing.ts'

/** Returns the messages that may start, and cancels those that are no longer what was approved. */
export async function dropUnapproved<Message extends ScheduledMessage>(
  { now, log }: Pick<Context, 'now' | 'log'>,
  tx: Transaction,
  due: readonly Message[],
): Promise<Message[]> {
  const starting: Message[] = []
  for (const message of due) {
    const { appId, id, approvedAs } = message
    if (approvedAs === undefined || approvedAs === hashScheduled(message)) {
      starting.push(message)
      continue
    }
    await markScheduledCancelled(tx, { appId, id, at: now() })
    log.error({ app: appId, message: id }, 'a scheduled message differed from what was approved and was cancelled')
  }
  return starting
}
