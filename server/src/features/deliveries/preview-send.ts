import type { AnyNotification, DryRun } from '@peyk/contract'
import sql from 'sql-template-tag'
import type { Context } from '../../base/context.ts'
import { checkPushSizes } from '../messages/check-push-size.ts'
import { draftMessage } from '../messages/draft-message.ts'
import { draftElements, draftPersonal } from '../messages/draft-personal.ts'
import type { Product } from '../messages/expiry.ts'
import { groupKeys, personalKeys, readReceiverKey } from '../messages/read-receivers.ts'
import { fixAudience } from '../segments/fix-audience.ts'
import { previewGroup, previewPersonal } from './preview-messages.ts'

export interface PreviewInput {
  sent: AnyNotification | AnyNotification[]
  product: Product
  /** Whom the endpoint sends to: named users, a group, or either. */
  to: 'users' | 'group' | 'either'
}

const receiverKeys = { users: personalKeys, group: groupKeys, either: [...personalKeys, ...groupKeys] }

/** What a send would do. It runs in a transaction that cannot write: nothing is sent or stored. */
export async function previewSend(ctx: Context, { sent, product, to }: PreviewInput): Promise<DryRun | DryRun[]> {
  const acceptance = { appId: ctx.app.id, product, at: ctx.now(), clock: ctx.now }
  return ctx.store.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read, read only`)
    const inner = { ...ctx, tx }
    if (Array.isArray(sent)) {
      const drafts = await draftElements(sent, acceptance)
      await checkPushSizes(inner, drafts, { isList: true })
      return previewPersonal(inner, drafts)
    }
    const key = readReceiverKey(sent, receiverKeys[to])
    if (!groupKeys.includes(key)) {
      const draft = draftPersonal(sent, acceptance)
      await checkPushSizes(inner, [draft])
      return (await previewPersonal(inner, [draft]))[0] as DryRun
    }
    const { fallback: _personalOnly, ...message } = sent
    const draft = draftMessage(message, acceptance)
    await checkPushSizes(inner, [draft])
    return previewGroup(inner, draft, await fixAudience(inner, { [key]: sent[key] }))
  })
}
