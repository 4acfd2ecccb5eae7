import type { AnyNotification } from '@peyk/contract'
import { type Context, inTransaction } from '../../base/context.ts'
import { announceWork } from '../../base/wake.ts'
import { ensureCampaign } from '../campaigns/ensure-campaign.ts'
import { fixAudience } from '../segments/fix-audience.ts'
import { checkPushSizes } from './check-push-size.ts'
import { countAudience } from './count-audience.ts'
import { type Accepted, draftMessage } from './draft-message.ts'
import type { Product } from './expiry.ts'
import { insertAudienceMessages } from './insert-audience-messages.ts'
import { raiseIds } from './raise-ids.ts'
import { groupKeys, readReceiverKey } from './read-receivers.ts'

/** Counts and fixes its moment when it is accepted [choice 28]; its `trackId` makes the campaign [choice 30]. */
export async function acceptGroup(ctx: Context, sent: AnyNotification, product: Product): Promise<Accepted> {
  const key = readReceiverKey(sent, groupKeys)
  const { fallback: _personalOnly, ...message } = sent
  const draft = draftMessage(message, { appId: ctx.app.id, product, at: ctx.now(), clock: ctx.now })
  await checkPushSizes(ctx, [draft])
  const target = await fixAudience(ctx, { [key]: sent[key] })
  const recipients = await countAudience(ctx, target, draft)
  const id = await inTransaction(ctx, async (tx) => {
    if (draft.trackId !== undefined) await ensureCampaign({ ...ctx, tx }, { trackId: draft.trackId })
    const raised = await raiseIds(tx, [{ ...draft, audience: 'query' as const, target, recipients }])
    await insertAudienceMessages(tx, raised)
    return raised[0]?.id as string
  })
  announceWork(ctx.store)
  return { id, count: recipients }
}
