import type { AnyNotification } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { fillGroupCategory } from '../send/fill-group-category.ts'
import { allKeys } from '../send/read-receivers.ts'
import type { ScheduledMessage } from './scheduled-message.ts'

type Known = Pick<ScheduledMessage, 'sent' | 'userIds' | 'target'>

/** What was accepted, with what is said anew of it. `isForOthers`: it says whom it goes to. */
export async function mergeChange(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  known: Known,
  given: AnyNotification,
): Promise<{ request: AnyNotification; isForOthers: boolean }> {
  const isForOthers = allKeys.some((key) => given[key] != null)
  const request = { ...known.sent, ...(!isForOthers && receiversOf(known)), ...given }
  const isAboutCategory = isForOthers || given.category !== undefined
  return { request: isAboutCategory ? await fillGroupCategory(ctx, request) : request, isForOthers }
}

/** Whom it goes to, as a request says it. */
function receiversOf({ userIds, target }: Omit<Known, 'sent'>): AnyNotification {
  if (userIds) return { users: userIds }
  if (!target) return { user: '*' }
  return 'segment' in target ? { segment: target.segment as never } : { target: target.target as never }
}
