import type { Context } from '#base/context.ts'
import { getMessageRow } from '../../messages/stored/get-message-row.ts'
import { readDeliveryGroups } from '../progress/delivery-groups.ts'
import { measureProgress } from '../progress/measure-progress.ts'
import type { MessageInWork } from './held-batch.ts'

type Services = Pick<Context, 'store' | 'now' | 'log' | 'external'>

/** One line for each big send that is under way. */
export async function logProgress(services: Services, messages: readonly MessageInWork[]): Promise<void> {
  for (const message of messages) {
    const ctx = { ...services, app: { id: message.appId, label: message.appLabel } }
    const row = await getMessageRow(ctx, message.id)
    const progress = measureProgress(row, await readDeliveryGroups(ctx, row), services.now())
    const { settled, total, ratePerSecond, etaSeconds } = progress
    const pace = ratePerSecond === undefined ? '' : `, ${Math.round(ratePerSecond)}/s`
    const left = etaSeconds === undefined ? '' : `, ${etaSeconds} s left`
    services.log.info(
      { app: message.appLabel, messageId: message.id, ...progress },
      `sending: ${settled} of ${total}${pace}${left}`,
    )
  }
}
