import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { readMoment } from '#base/read-moment.ts'
import { makeArrivalIndexes } from '../stream/arrival-indexes.ts'
import type { FoundLine, ReadLines } from '../stream/found-line.ts'
import { lastUs, type Range } from '../stream/place.ts'

export interface Period {
  from?: number | string | undefined
  to?: number | string | undefined
}

const linesPerRead = 1_000
const firstWidth = 3_600_000_000

/** The bounds are looked at before anything is read. */
export function readBounds(period: Period): { from: number; to: number } {
  const us = (at: Date | undefined) => at && Math.min(at.getTime() * 1000, lastUs)
  const [from, to] = [us(readMoment('from', period.from)) ?? 0, us(readMoment('to', period.to)) ?? lastUs]
  if (to < from)
    throw new RequestError('invalid-request', '"to": expected a time after "from".', { details: { field: 'to' } })
  return { from, to }
}

/** All of one type that was stored in a period and is there now, in the order of time. */
export async function* readPeriod(
  ctx: Context,
  read: ReadLines,
  { from, to }: { from: number; to: number },
): AsyncGenerator<FoundLine> {
  await makeArrivalIndexes(ctx)
  const end = Math.min(to, (ctx.now().getTime() + 1) * 1000)
  let width = firstWidth
  let next: Omit<Range, 'until'> = { from }
  while (next.from < end) {
    const until = Math.min(end, next.from + width)
    const lines = await read(ctx, { ...next, until }, linesPerRead)
    yield* lines
    const last = lines.at(-1)
    if (last && lines.length === linesPerRead) {
      width = Math.max(1_000_000, Math.min(width, (last.us - next.from) * 2))
      next = { from: last.us, afterKey: last.key }
    } else {
      width *= 2
      next = { from: until }
    }
  }
}
