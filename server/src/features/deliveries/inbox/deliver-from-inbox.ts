import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { countedRecipients } from '../../messages/accept/counted-recipients.ts'
import { changeCounters } from '../progress/change-counters.ts'
import { addToDays, type DayStep, levels, platformOfDevice } from '../progress/delivery-days.ts'
import type { DeliveryKey } from '../progress/delivery-places-store.ts'

export interface WaitingDelivery extends DeliveryKey {
  /** To how many the message goes. */
  recipients: number
  /** Undefined: it is looked up. */
  deviceType?: string | undefined
}

/**
 * What advanceDeliveries and takeOutOfInbox do, for the usual course alone, which needs no look at what was there: a
 * message waited in the inbox, went over the own connection and was acknowledged. Answers for which it was so; the
 * others are left as they are. Where it was so for all, PostgreSQL says only how many. Locks in the same order. `case`
 * keeps PostgreSQL to the key: the indexes of what is queued or in an inbox it believes to be empty.
 */
export async function deliverFromInbox(
  tx: Transaction,
  keys: readonly WaitingDelivery[],
  at: Date,
): Promise<boolean[]> {
  const order = keys.map((_, index) => index).sort((left, right) => compare(keys[left], keys[right]))
  const sorted = order.map((index) => keys[index] as WaitingDelivery)
  const rows = await tx.query<{ count: number; position: number | null }>(
    sql`with delivered as (
          update deliveries d set state = 'delivered', updated_at = ${at}, in_inbox = false
          from ${unnestRows(
            sorted,
            'k',
            {
              app_id: ['int', ({ appId }) => appId],
              message_id: ['uuid', ({ messageId }) => messageId],
              installation_no: ['bigint', ({ installationNo }) => installationNo],
            },
            { position: 'position' },
          )}
          where d.app_id = k.app_id and d.message_id = k.message_id and d.installation_no = k.installation_no
            and case when d.in_inbox and d.sent_at is null then d.state || ' ' || d.provider end = 'queued connection'
          returning k.position::int as position
        )
        select c.count, delivered.position
        from (select count(*) as count from delivered) c left join delivered on c.count < ${keys.length}`,
    'deliver-from-inbox',
  )
  const [first] = rows
  if (first?.count === keys.length) {
    await count(tx, sorted, at)
    return keys.map(() => true)
  }
  const isDelivered = keys.map(() => false)
  for (const { position } of rows) if (position !== null) isDelivered[order[position - 1] as number] = true
  const delivered = keys.filter((_, index) => isDelivered[index])
  await count(tx, delivered, at)
  return isDelivered
}

async function count(tx: Transaction, delivered: readonly WaitingDelivery[], at: Date): Promise<void> {
  const perMessage = new Map<string, { appId: number; messageId: string; count: number }>()
  const days = new Map<string, DayStep>()
  for (const { appId, messageId, installationNo, recipients, deviceType } of delivered) {
    if (recipients >= countedRecipients) {
      const sum = perMessage.get(messageId)
      if (sum) sum.count++
      else perMessage.set(messageId, { appId, messageId, count: 1 })
    }
    const platform = deviceType === undefined ? null : platformOfDevice(deviceType)
    const dayKey = platform === null ? `${installationNo}` : `${appId}/${platform}`
    const day = days.get(dayKey)
    if (day) day.count++
    else days.set(dayKey, { appId, at, platform, installationNo, from: levels.queued, to: levels.delivered, count: 1 })
  }
  await changeCounters(
    tx,
    [...perMessage.values()].flatMap(({ count, ...message }) => [
      { ...message, state: 'queued', count: -count, at },
      { ...message, state: 'delivered', count, at },
    ]),
  )
  await addToDays(tx, [...days.values()])
}

function compare(left: DeliveryKey | undefined, right: DeliveryKey | undefined): number {
  if (!left || !right) return 0
  if (left.appId !== right.appId) return left.appId - right.appId
  if (left.messageId !== right.messageId) return left.messageId < right.messageId ? -1 : 1
  return left.installationNo - right.installationNo
}
