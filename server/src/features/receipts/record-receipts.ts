import { type BatchContext, defineBatch } from '#base/batch.ts'
import type { Context } from '#base/context.ts'
import type { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'
import { cancelReceivedFallbacks } from '../deliveries/fallback/cancel-received.ts'
import { takeOutOfInbox } from '../deliveries/inbox/inbox-store.ts'
import { advanceDeliveries } from '../deliveries/progress/advance-deliveries.ts'
import { countActions } from '../deliveries/progress/count-actions.ts'
import { openInfluence } from '../events/influence/open-influence.ts'
import { checkInstallationId, unknownInstallation } from '../installations/installation-id.ts'
import { emitReceipts } from './emit-receipts.ts'
import type { Receipt } from './receipt.ts'
import { findAddressees, insertReceipts } from './receipts-store.ts'

export interface ReceiptsAnswer {
  /** Stored, now or before. */
  count: number
  /** About messages that are not there, or did not go to this installation. */
  ignored: number
}

interface ReceiptList {
  appId: number
  installationId: string
  receipts: readonly Receipt[]
}

/** Stores what a device says of messages, each once, and moves their deliveries forward. */
export async function recordReceipts(
  ctx: Context,
  input: { installationId: string; receipts: readonly Receipt[] },
): Promise<ReceiptsAnswer> {
  const installationId = checkInstallationId(input.installationId)
  return storeReceipts(ctx, { appId: ctx.app.id, installationId, receipts: input.receipts })
}

const storeReceipts = defineBatch<ReceiptList, ReceiptsAnswer>({
  name: 'receipts',
  maxWeight: 2_000,
  weight: (list) => list.receipts.length,
  flush,
})

async function flush(
  tx: Transaction,
  lists: ReceiptList[],
  ctx: BatchContext,
): Promise<(ReceiptsAnswer | RequestError)[]> {
  const sent = lists.flatMap(({ appId, installationId, receipts }) =>
    receipts.map((receipt) => ({ appId, installationId, receipt })),
  )
  const found = await findAddressees(tx, sent)
  const rows = sent.flatMap(({ appId, receipt }, index) => {
    const addressee = found[index]
    if (!addressee?.is_addressed) return []
    const { installation_no, recipients, fallback_policy: fallbackPolicy } = addressee
    return [
      {
        appId,
        installationNo: installation_no as number,
        recipients: recipients as number,
        fallbackPolicy,
        ...receipt,
      },
    ]
  })
  if (rows.length > 0) {
    const at = ctx.now()
    await cancelReceivedFallbacks(tx, rows)
    const { moved } = await advanceDeliveries(
      tx,
      rows.map(({ appId, messageId, installationNo, recipients, kind }) => ({
        appId,
        messageId,
        installationNo,
        recipients,
        state: kind,
        at,
      })),
    )
    await takeOutOfInbox(
      tx,
      rows.filter((receipt) => receipt.kind === 'delivered'),
    )
    // After the deliveries, as acknowledgements do: two that say the same of one delivery never wait for each other.
    const news = await insertReceipts(tx, rows, at)
    await countActions(
      tx,
      news.filter((receipt) => receipt.kind === 'acted'),
    )
    await openInfluence(
      tx,
      news.filter((receipt) => receipt.kind === 'opened' || receipt.kind === 'acted'),
      at,
    )
    await emitReceipts(tx, ctx.store, { news, moved, at })
  }
  let position = 0
  return lists.map(({ installationId, receipts }) => {
    const own = found.slice(position, position + receipts.length)
    position += receipts.length
    if (own.some((addressee) => addressee.installation_no === null)) return unknownInstallation(installationId)
    const count = own.filter((addressee) => addressee.is_addressed).length
    return { count, ignored: receipts.length - count }
  })
}
