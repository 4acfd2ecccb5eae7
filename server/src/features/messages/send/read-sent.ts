import type { AnyNotification } from '@peyk/contract'
import type { Context } from '../../../base/context.ts'
import { checkCategories } from '../../categories/check-categories.ts'
import { fillFromTemplate } from '../templates/fill-from-template.ts'

/** What a request says with what the app keeps: the texts of its template; its category, which must be one of the app's. */
export async function readSent<Sent extends AnyNotification | AnyNotification[]>(
  ctx: Context,
  sent: Sent,
): Promise<Sent> {
  return checkCategories(ctx, await fillFromTemplate(ctx, sent))
}
