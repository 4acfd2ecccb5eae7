import type { AnyNotification } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { fillGroupCategory } from './fill-group-category.ts'
import { readSaid } from './read-said.ts'

/** What a request says with what the app keeps: the texts of its template, and the category of sends to groups. */
export async function readSent<Sent extends AnyNotification | AnyNotification[]>(
  ctx: Context,
  sent: Sent,
): Promise<Sent> {
  return fillGroupCategory(ctx, await readSaid(ctx, sent))
}
