import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'
import type { Transaction } from '#base/store/store.ts'
import type { Series } from './series.ts'
import { lockSeries } from './series-store.ts'

/** A series that has not ended, locked. */
export async function lockGoingSeries(ctx: Context, tx: Transaction, id: string): Promise<Series> {
  const series = isUuid(id) ? await lockSeries(tx, { appId: ctx.app.id, id }) : undefined
  if (!series) throw unknownSeries(id)
  if (series.state !== 'ended') return series
  throw new RequestError('series-ended', 'The series has ended: nothing of it can be changed any more.')
}

export function unknownSeries(id: string): RequestError {
  return new RequestError('not-found', `No series has the id "${id.slice(0, 64)}".`)
}
