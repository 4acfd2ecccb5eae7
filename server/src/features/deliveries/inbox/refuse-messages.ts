import type { Context } from '#base/context.ts'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'
import { takeOutOfInbox } from './inbox-store.ts'

interface RefusedMessage {
  app_id: number
  message_id: string
  installation_no: number
  detail: string
}

/** Messages that cannot be written for their users: their deliveries end. */
export async function refuseMessages(
  services: Pick<Context, 'store' | 'now'>,
  refused: readonly RefusedMessage[],
): Promise<void> {
  const at = services.now()
  const ends = refused.map((row) => ({
    appId: row.app_id,
    messageId: row.message_id,
    installationNo: row.installation_no,
    state: 'ended' as const,
    reason: 'refused' as const,
    provider: 'connection',
    detail: row.detail,
    at,
  }))
  await services.store.transaction(async (tx) => {
    await advanceDeliveries(tx, ends)
    await takeOutOfInbox(tx, ends)
  })
}
