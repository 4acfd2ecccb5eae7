import type { AnyNotification } from '@peyk/contract'
import { announceWork } from '#base/bus/wake.ts'
import { type Context, inTransaction } from '#base/context.ts'
import { ensureCampaign } from '../../campaigns/ensure-campaign.ts'
import { resolveAudience } from '../../segments/read/resolve-audience.ts'
import { checkPushSizes } from '../check/check-push-size.ts'
import type { Product } from '../compose/expiry.ts'
import { withoutFallback } from '../compose/without-fallback.ts'
import { traceAccepted } from '../message-traces.ts'
import { checkScheduleRoom } from '../schedule/check-schedule-room.ts'
import { readWhen } from '../schedule/read-when.ts'
import { scheduleMessage } from '../schedule/schedule-message.ts'
import { groupKeys, readReceiverKey } from '../send/read-receivers.ts'
import { createSeries } from '../series/create-series.ts'
import { assignRisingIds } from './assign-rising-ids.ts'
import { type Accepted, draftMessage } from './draft-message.ts'
import { insertAudienceMessages } from './insert-audience-messages.ts'
import { resolveRecipients } from './resolve-recipients.ts'
import { checkDeliveryQuota, checkSendQuota, countSends } from './send-quota.ts'

/**
 * Its recipients are fixed when it is accepted [sending.md#recipients], or when it goes, if that is later; its
 * `trackId` makes the campaign [sending.md#campaign-keys-and-client-ids].
 */
export async function acceptGroup(ctx: Context, sent: AnyNotification, product: Product): Promise<Accepted> {
  const key = readReceiverKey(sent, groupKeys)
  checkSendQuota(ctx)
  const { repeat } = sent
  if (repeat != null) return createSeries(ctx, { ...sent, repeat }, { product, to: groupKeys })
  const when = readWhen(sent, ctx.now())
  if (when) await checkScheduleRoom(ctx, 1)
  if (when) return scheduleMessage(ctx, sent, { product, when, to: groupKeys })
  const draft = draftMessage(withoutFallback(sent), { appId: ctx.app.id, product, at: ctx.now(), clock: ctx.now })
  await checkPushSizes(ctx, [draft])
  const target = await resolveAudience(ctx, { [key]: sent[key] })
  const accepted = await inTransaction(ctx, async (tx) => {
    const fixed = await resolveRecipients({ ...ctx, tx }, target, draft)
    checkDeliveryQuota(ctx, [{ count: fixed.recipients }])
    if (draft.trackId !== undefined) await ensureCampaign({ ...ctx, tx }, { trackId: draft.trackId })
    const raised = await assignRisingIds(tx, [{ ...draft, ...fixed, audience: 'query' as const, target }])
    await insertAudienceMessages(tx, raised)
    return { id: raised[0]?.id as string, count: fixed.recipients }
  })
  traceAccepted([accepted])
  countSends(ctx, [accepted])
  announceWork(ctx.store)
  return accepted
}
