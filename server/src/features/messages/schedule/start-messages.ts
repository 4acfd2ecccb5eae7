import type { Context } from '../../../base/context.ts'
import type { Transaction } from '../../../base/store/store.ts'
import { ensureCampaign } from '../../campaigns/ensure-campaign.ts'
import { type Draft, draftMessage } from '../accept/draft-message.ts'
import { insertAudienceMessages } from '../accept/insert-audience-messages.ts'
import { resolveRecipients } from '../accept/resolve-recipients.ts'
import { storeNamedInParts } from '../accept/store-named.ts'
import { storePublic } from '../accept/store-public.ts'
import { expiryOf } from '../compose/expiry.ts'
import type { ScheduledMessage } from './scheduled-message.ts'

type Services = Pick<Context, 'store' | 'now' | 'log' | 'external'>
type Due = ScheduledMessage & { appLabel: string }

/** Stores messages that were scheduled as if they had been sent now. They live from the moment they were due. */
export async function startMessages(services: Services, tx: Transaction, due: readonly Due[]): Promise<void> {
  const named = due.filter(({ userIds }) => userIds && userIds.length > 0)
  await storeNamedInParts(
    tx,
    named.map((message) => ({ ...draftOf(services, message), userIds: message.userIds as string[] })),
  )
  for (const message of due.filter(({ userIds }) => userIds === undefined)) {
    const ctx: Context = { ...services, tx, app: { id: message.appId, label: message.appLabel } }
    const draft = draftOf(services, message)
    if (message.target) await storeGroup(ctx, tx, draft, message.target)
    else await storePublic(ctx, [draft])
  }
}

async function storeGroup(ctx: Context, tx: Transaction, draft: Draft, target: NonNullable<Due['target']>) {
  const fixed = await resolveRecipients(ctx, target, draft, { wasAccepted: true })
  if (draft.trackId !== undefined) await ensureCampaign(ctx, { trackId: draft.trackId })
  await insertAudienceMessages(tx, [{ ...draft, ...fixed, audience: 'query', target }])
}

function draftOf({ now }: Services, { appId, id, product, sent, dueAt }: Due): Draft {
  const draft = draftMessage(sent, { appId, product, at: now(), clock: now })
  return {
    ...draft,
    id,
    expiresAt: expiryOf(sent.ttl, product, dueAt),
    body: { ...draft.body, sendAt: dueAt.getTime() },
  }
}
