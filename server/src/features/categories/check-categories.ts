import { type AnyNotification, type Category, show, transactional } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { readCategories } from './category-store.ts'

/**
 * Messages whose category the app does not have are refused. An app without any takes every word, and does nothing with
 * it: a back end may have said `category` long before there were any.
 */
export async function checkCategories<Sent extends AnyNotification | AnyNotification[]>(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  sent: Sent,
): Promise<Sent> {
  const all: AnyNotification[] = Array.isArray(sent) ? sent : [sent]
  if (!all.some(namesOne)) return sent
  const known = await readCategories(db(ctx), ctx.app.id)
  if (known.length === 0) return dropCategories(sent)
  const ids = new Set(known.map(({ id }) => id))
  for (const [index, message] of all.entries()) {
    if (namesOne(message) && !ids.has(message.category as string)) {
      throw unknownCategory(message.category as string, known, Array.isArray(sent) ? index : undefined)
    }
  }
  return sent
}

function namesOne({ category }: AnyNotification): boolean {
  return category !== undefined && category !== '' && category !== transactional
}

function dropCategories<Sent extends AnyNotification | AnyNotification[]>(sent: Sent): Sent {
  const drop = ({ category: _unknown, ...rest }: AnyNotification) => rest
  return (Array.isArray(sent) ? sent.map(drop) : drop(sent)) as Sent
}

function unknownCategory(id: string, known: readonly Category[], index: number | undefined): RequestError {
  const prefix = index === undefined ? '' : `Element ${index}: `
  const names = [transactional, ...known.map((category) => category.id)].map((name) => show(name)).join(', ')
  return new RequestError('invalid-request', `${prefix}"category": expected one of ${names}, got ${show(id)}.`, {
    details: { field: 'category', ...(index !== undefined && { index }) },
  })
}
