import { type AnyNotification, show } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { checkCategories } from '../../categories/check-categories.ts'
import { fillFromTemplate } from '../templates/fill-from-template.ts'
import { bindAllValues } from '../values/bind-values.ts'

/** What a request says by itself, by its template and with its values. Its category must be one of the app's. */
export async function readSaid<Sent extends AnyNotification | AnyNotification[]>(
  ctx: Context,
  said: Sent,
): Promise<Sent> {
  try {
    return await checkCategories(ctx, await bindAllValues(await fillFromTemplate(ctx, said)))
  } catch (error) {
    throw error instanceof RequestError ? namingTemplate(error, said) : error
  }
}

/** A category that was deleted since the template was saved is no fault of what the caller wrote. */
function namingTemplate(error: RequestError, said: AnyNotification | AnyNotification[]): RequestError {
  const { code, message, details } = error
  const { templateId, category } = Array.isArray(said) ? (said[Number(details?.index)] ?? {}) : said
  if (details?.field !== 'category' || templateId === undefined || category !== undefined) return error
  return new RequestError(code, `${message} It is the category of the template ${show(templateId)}.`, { details })
}
