import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { getAppZone } from '../../accounts/apps/get-app-zone.ts'
import { ensureCampaign } from '../../campaigns/ensure-campaign.ts'
import { type Draft, draftMessage } from '../accept/draft-message.ts'
import { insertAudienceMessages } from '../accept/insert-audience-messages.ts'
import { resolveRecipients } from '../accept/resolve-recipients.ts'
import { countSends } from '../accept/send-quota.ts'
import { storeNamedInParts } from '../accept/store-named.ts'
import { storePublic } from '../accept/store-public.ts'
import { expiryOf, lifeSeconds } from '../compose/expiry.ts'
import { leaveToLocalTime } from '../local-time/leave-to-local-time.ts'
import { lastMoment } from '../local-time/local-time.ts'
import { emitStarted } from './emit-scheduled.ts'
import type { ScheduledMessage } from './scheduled-message.ts'

type Services = Pick<Context, 'store' | 'now' | 'log' | 'external'>
type Due = ScheduledMessage & { appLabel: string }

/**
 * Stores messages that were scheduled as if they had been sent now. They live from the moment they were due; with a local
 * time, for each user from that time.
 */
export async function startMessages(services: Services, tx: Transaction, due: readonly Due[]): Promise<void> {
  const drafts: Draft[] = []
  for (const message of due) drafts.push(await draftOf(services, tx, message))
  const named = due.flatMap(({ userIds }, index) => {
    return userIds && userIds.length > 0 ? [{ ...(drafts[index] as Draft), userIds }] : []
  })
  const accepted = await storeNamedInParts(tx, named)
  for (const [index, { appId }] of named.entries())
    countSends({ store: services.store, tx, app: { id: appId } }, accepted.slice(index, index + 1))
  for (const [index, message] of due.entries()) {
    if (message.userIds !== undefined) continue
    const ctx: Context = { ...services, tx, app: { id: message.appId, label: message.appLabel } }
    const draft = drafts[index] as Draft
    const stored = message.target
      ? [{ count: await storeGroup(ctx, tx, draft, message.target) }]
      : await storePublic(ctx, [draft])
    countSends(ctx, stored)
  }
  await leaveToLocalTime(tx, drafts)
  await emitStarted(tx, services.store, due, services.now())
}

/** Answers to how many it goes. */
async function storeGroup(
  ctx: Context,
  tx: Transaction,
  draft: Draft,
  target: NonNullable<Due['target']>,
): Promise<number> {
  const fixed = await resolveRecipients(ctx, target, draft, { wasAccepted: true })
  if (draft.trackId !== undefined) await ensureCampaign(ctx, { trackId: draft.trackId })
  await insertAudienceMessages(tx, [{ ...draft, ...fixed, audience: 'query', target }])
  return fixed.recipients
}

async function draftOf({ now }: Services, tx: Transaction, message: Due): Promise<Draft> {
  const { appId, id, product, sent, dueAt, localTime, occurrence } = message
  const draft = draftMessage(sent, { appId, product, at: now(), clock: now, values: 'settled' })
  const started = {
    ...draft,
    id,
    body: { ...draft.body, sendAt: dueAt.getTime(), ...(occurrence && { seriesId: occurrence.seriesId }) },
  }
  if (!localTime) return { ...started, expiresAt: expiryOf(sent.ttl, product, dueAt) }
  const zone = localTime.zone ?? (await getAppZone(tx, appId))
  return {
    ...started,
    expiresAt: expiryOf(sent.ttl, product, lastMoment(localTime, dueAt)),
    body: { ...started.body, localTime: { ...localTime, zone, ttl: lifeSeconds(sent.ttl, product) } },
  }
}
