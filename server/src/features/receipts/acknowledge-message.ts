import { type BatchContext, defineBatch } from '#base/batch.ts'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { deliverFromInbox } from '../deliveries/inbox/deliver-from-inbox.ts'
import { insertDelivered } from '../deliveries/inbox/insert-delivered.ts'
import { knowInterests, mayInterest } from '../outbox/outbox.ts'
import { findPlainMessages } from './acknowledgements-store.ts'
import { recordReceipts } from './record-receipts.ts'

interface Acknowledgement {
  appId: number
  messageId: string
  installationNo: number
  deviceType: string | undefined
}

/** A client has the message. It is delivered, and out of the inbox, once that is committed. */
export async function acknowledgeMessage(
  ctx: Context,
  input: { installationId: string; installationNo: number; messageId: string; deviceType?: string | undefined },
): Promise<void> {
  const { installationId, installationNo, messageId, deviceType } = input
  const { isStored } = await writeAcknowledgement(ctx, { appId: ctx.app.id, messageId, installationNo, deviceType })
  if (isStored) return
  const receipt = { messageId, kind: 'delivered' as const, actionId: '', happenedAt: ctx.now() }
  await recordReceipts(ctx, { installationId, receipts: [receipt] })
}

/** The plain ones, in as few statements as it takes. The others are recorded as all receipts are. */
const writeAcknowledgement = defineBatch<Acknowledgement, { isStored: boolean }>({
  name: 'acknowledgements',
  maxWeight: 2_000,
  flush: async (tx, acknowledged, ctx) => {
    const plain = await findPlain(tx, acknowledged, ctx)
    const at = ctx.now()
    const isDelivered = plain.length > 0 ? await deliverFromInbox(tx, plain, at) : []
    const delivered = plain.filter((_, index) => isDelivered[index])
    if (delivered.length > 0) await insertDelivered(tx, delivered, at)
    const stored = new Set<Acknowledgement>(delivered.map(({ from }) => from))
    return acknowledged.map((each) => ({ isStored: stored.has(each) }))
  },
})

/** Those that no webhook wants to hear of, and of messages without an SMS to be called off. */
async function findPlain(tx: Transaction, acknowledged: readonly Acknowledgement[], { store }: BatchContext) {
  // Here and not before the batch, which a stop waits for.
  await knowInterests(store, tx)
  const apps = new Set(acknowledged.map(({ appId }) => appId))
  const interested = new Set([...apps].filter((appId) => mayInterest(store, appId, 'message.delivered')))
  const quiet = interested.size > 0 ? acknowledged.filter(({ appId }) => !interested.has(appId)) : acknowledged
  const recipientsOf = await findPlainMessages(tx, quiet)
  return quiet.flatMap((from) => {
    const recipients = recipientsOf.get(from.messageId)
    return recipients === undefined ? [] : [{ ...from, recipients, from }]
  })
}
