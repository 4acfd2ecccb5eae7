import sql from 'sql-template-tag'
import type { Transaction } from '../../base/store/store.ts'
import { plainArray } from '../events/plain-array.ts'
import { countedRecipients } from '../messages/counted-recipients.ts'
import { changeCounters } from './change-counters.ts'
import { countDeliveryDays } from './delivery-days.ts'
import type { DeliveryKey } from './delivery-places-store.ts'

export interface WaitingDelivery extends DeliveryKey {
  /** To how many the message goes. */
  recipients: number
}

/**
 * What advanceDeliveries and takeOutOfInbox do, for the usual course alone, which needs no look at what was there: a
 * message waited in the inbox, went over the own connection and was acknowledged. Answers for which it was so; the
 * others are left as they are. Locks in the same order. `case` keeps PostgreSQL to the key: the indexes of what is queued
 * or in an inbox it believes to be empty.
 */
export async function deliverFromInbox(
  tx: Transaction,
  keys: readonly WaitingDelivery[],
  at: Date,
): Promise<boolean[]> {
  const order = keys.map((_, index) => index).sort((left, right) => compare(keys[left], keys[right]))
  const sorted = order.map((index) => keys[index] as WaitingDelivery)
  const rows = await tx.query<{ position: number }>(
    sql`update deliveries d set state = 'delivered', updated_at = ${at}, in_inbox = false
        from unnest(${plainArray(sorted.map(({ appId }) => appId))}::int[], ${plainArray(sorted.map(({ messageId }) => messageId))}::uuid[],
                    ${plainArray(sorted.map(({ installationNo }) => installationNo))}::bigint[])
             with ordinality as k(app_id, message_id, installation_no, position)
        where d.app_id = k.app_id and d.message_id = k.message_id and d.installation_no = k.installation_no
          and case when d.in_inbox and d.sent_at is null then d.state || ' ' || d.provider end = 'queued connection'
        returning k.position::int as position`,
    'deliver-from-inbox',
  )
  const isDelivered = keys.map(() => false)
  const delivered = rows.map(({ position }) => {
    isDelivered[order[position - 1] as number] = true
    return sorted[position - 1] as WaitingDelivery
  })
  await count(tx, delivered, at)
  return isDelivered
}

async function count(tx: Transaction, delivered: readonly WaitingDelivery[], at: Date): Promise<void> {
  await changeCounters(
    tx,
    delivered.flatMap(({ appId, messageId, recipients }) => {
      if (recipients < countedRecipients) return []
      return [
        { appId, messageId, state: 'queued', count: -1, at },
        { appId, messageId, state: 'delivered', count: 1, at },
      ]
    }),
  )
  await countDeliveryDays(
    tx,
    delivered.map((key) => ({
      was: { state: 'queued', at },
      now: { ...key, state: 'delivered', provider: 'connection', at },
    })),
  )
}

function compare(left: DeliveryKey | undefined, right: DeliveryKey | undefined): number {
  if (!left || !right) return 0
  if (left.appId !== right.appId) return left.appId - right.appId
  if (left.messageId !== right.messageId) return left.messageId < right.messageId ? -1 : 1
  return left.installationNo - right.installationNo
}
