import type { AnyNotification, ApprovalDetail, ComposedMessage } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { getAppLook } from '../../accounts/apps/get-app-look.ts'
import { getAppZone } from '../../accounts/apps/get-app-zone.ts'
import { hashOf, hashOutgoing, whenOf } from '../../messages/approved/hash-outgoing.ts'
import { type DraftedChange, draftChange } from '../../messages/schedule/draft-change.ts'
import { draftScheduled, type ScheduledDraft } from '../../messages/schedule/draft-scheduled.ts'
import { readWhen } from '../../messages/schedule/read-when.ts'
import { allKeys } from '../../messages/send/read-receivers.ts'
import { readSent } from '../../messages/send/read-sent.ts'

/** The content, audience, and time of a send as of now. Requesting, showing, and approving a send all use it. */
export interface Outgoing extends ScheduledDraft {
  product: ComposedMessage['product']
  /** The request with its template's texts; undefined when a scheduled message is rescheduled. */
  request: AnyNotification | undefined
  move: DraftedChange | undefined
  isLater: boolean
  /** The app's own texts and time zone, used where the message has none. */
  look: NonNullable<ApprovalDetail['now']>['look']
  /** Changes with everything that the approving member would have to review again. */
  hash: string
}

export async function readOutgoing(ctx: Context, { product, ...sent }: ComposedMessage): Promise<Outgoing> {
  const request = await readSent(ctx, sent)
  const draft = await draftScheduled(ctx, request, { product, to: allKeys })
  const when = readWhen(request, ctx.now())
  const { repeat } = request
  const moments = repeat != null ? { repeat, sendAt: request.sendAt ?? null } : when ? whenOf(when) : 'now'
  const isLater = repeat != null || when !== undefined
  return withHash(ctx, { ...draft, product, request, move: undefined, isLater }, moments)
}

/** The same for a new time of a scheduled message. */
export async function readMove(
  ctx: Context,
  { id, sendAt }: { id: string; sendAt: NonNullable<AnyNotification['sendAt']> },
): Promise<Outgoing & { move: DraftedChange }> {
  const move = await draftChange(ctx, { id, change: { sendAt } })
  const { changed, isLater } = move
  const { product, sent, userIds, target, count } = changed
  const moved = { product, sent, userIds, target, count, request: undefined, move, isLater }
  return withHash(ctx, moved, isLater ? whenOf(changed) : 'now')
}

async function withHash<Read extends Omit<Outgoing, 'look' | 'hash'>>(
  ctx: Context,
  read: Read,
  when: object | 'now',
): Promise<Read & Pick<Outgoing, 'look' | 'hash'>> {
  const { name, notificationText, icon } = await getAppLook(ctx)
  const look = {
    name,
    ...(notificationText !== undefined && { notificationText }),
    ...(icon !== undefined && { icon }),
  }
  const zone = await getAppZone(db(ctx), ctx.app.id)
  return {
    ...read,
    look: look as Outgoing['look'],
    hash: hashOf({ send: hashOutgoing({ ...read, when }), look, zone }),
  }
}
