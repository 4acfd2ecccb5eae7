import type { AnyNotification, Repeat } from '@peyk/contract'
import { limits } from '#base/config.ts'
import { type Context, db, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { nextId } from '#base/ids.ts'
import { getAppZone } from '../../accounts/apps/get-app-zone.ts'
import type { Accepted } from '../accept/draft-message.ts'
import type { Product } from '../compose/expiry.ts'
import { draftScheduled } from '../schedule/draft-scheduled.ts'
import { checkLive } from '../schedule/read-when.ts'
import type { ReceiverKey } from '../send/read-receivers.ts'
import { readCourse, readStart } from './course/read-course.ts'
import { extendSeries } from './extend-series.ts'
import { listNext } from './occurrences-store.ts'
import type { Series } from './series.ts'
import { countGoingSeries, insertSeries, lockNumberOfSeries } from './series-store.ts'

/** Accepts a message that repeats, and makes its first occurrences. */
export async function createSeries(
  ctx: Context,
  { repeat, ...request }: AnyNotification & { repeat: Repeat },
  { product, to }: { product: Product; to: readonly ReceiverKey[] },
): Promise<Accepted> {
  const now = ctx.now()
  const start = readStart(request.sendAt, now)
  checkLive(request, start)
  const course = readCourse(repeat, start, await getAppZone(db(ctx), ctx.app.id))
  return inTransaction(ctx, async (tx) => {
    const draft = await draftScheduled({ ...ctx, tx }, request, { product, to })
    await lockNumberOfSeries(tx, ctx.app.id)
    if ((await countGoingSeries(tx, ctx.app.id)) >= limits.seriesPerApp) throw tooMany()
    const series: Series = {
      appId: ctx.app.id,
      id: nextId(ctx.now, now),
      product,
      ...draft,
      course,
      state: 'active',
      made: 0,
      lastAt: undefined,
      nextAt: undefined,
      counts: { sent: 0, skipped: 0, missed: 0 },
      story: [],
      createdAt: now,
      createdBy: ctx.member?.email ?? ctx.token?.name,
      changedAt: now,
      endedAt: undefined,
    }
    await insertSeries(tx, series)
    await extendSeries(tx, series, { store: ctx.store, now })
    const [first] = await listNext(tx, { appId: ctx.app.id, ids: [series.id], limit: 1 })
    return { id: first?.id as string, count: draft.count, seriesId: series.id }
  })
}

function tooMany(): RequestError {
  return new RequestError(
    'limit-reached',
    `The app would have more than ${limits.seriesPerApp} series that have not ended. End those that are not needed any more.`,
  )
}
