import type { AnyNotification } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { getGroupCategory } from '../../accounts/sending/get-group-category.ts'

/** [ADR-0199] A send to a group that names no category has the one that the app has for these. */
export async function fillGroupCategory<Sent extends AnyNotification | AnyNotification[]>(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  sent: Sent,
): Promise<Sent> {
  const all: AnyNotification[] = Array.isArray(sent) ? sent : [sent]
  if (!all.some(needsOne)) return sent
  const category = await getGroupCategory(db(ctx), ctx.app.id)
  if (category === undefined) return sent
  const filled = all.map((message) => (needsOne(message) ? { ...message, category } : message))
  return (Array.isArray(sent) ? filled : filled[0]) as Sent
}

function needsOne({ category, user, target, segment }: AnyNotification): boolean {
  if (category !== undefined && category !== '') return false
  return target != null || segment != null || user === '*'
}
