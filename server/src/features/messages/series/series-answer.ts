import type * as contract from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { composeMessage } from '../compose/compose-message.ts'
import { readMessageChannel } from '../compose/message-channel.ts'
import { receiversOf } from '../stored/message-answer.ts'
import { shownAt } from './course/occurrences-after.ts'
import { listNext, type NextRow } from './occurrences-store.ts'
import { occurrencesAhead, type Series } from './series.ts'

type Reader = Pick<Context, 'app' | 'store' | 'tx' | 'member'>

/** Series as callers see them. */
export async function describeAll(ctx: Reader, all: readonly Series[]): Promise<contract.SeriesLine[]> {
  const ids = all.map(({ id }) => id)
  const rows = await listNext(db(ctx), { appId: ctx.app.id, ids, limit: occurrencesAhead })
  const next = Map.groupBy(rows, (row) => row.series_id)
  return all.map((series) => describeLine(ctx, series, next.get(series.id) ?? []))
}

/** One of them, with its story. */
export async function describeSeries(ctx: Reader, series: Series): Promise<contract.Series> {
  const [line] = await describeAll(ctx, [series])
  return { ...(line as contract.SeriesLine), story: series.story.toReversed() }
}

/** Addresses of members are for members only. */
function describeLine({ member }: Reader, series: Series, next: readonly NextRow[]): contract.SeriesLine {
  const { id, state, course, counts, createdBy, endedAt } = series
  return {
    id,
    state,
    repeat: {
      rule: course.rule,
      zone: course.localTime?.zone ?? course.zone,
      ...(course.until && { until: course.until.getTime() }),
      ...(course.times !== undefined && { count: course.times }),
    },
    sendAt: course.startsAt.getTime(),
    ...(course.localTime && {
      localTime: { local: shownAt(course.startsAt, course.zone), ...course.localTime },
    }),
    next: next.map((row) => ({
      id: row.id,
      sendAt: row.due_at.getTime(),
      ...(row.is_changed && { isChanged: true }),
    })),
    ...counts,
    createdAt: series.createdAt.getTime(),
    ...(member && createdBy !== undefined && { createdBy }),
    changedAt: series.changedAt.getTime(),
    ...(endedAt && { endedAt: endedAt.getTime() }),
    message: seriesMessage(series),
  }
}

/** What its occurrences say, and to whom. */
export function seriesMessage({ product, sent, userIds, target, count }: Series): contract.SeriesLine['message'] {
  const audience = target ? 'query' : userIds ? 'users' : 'public'
  return {
    product,
    audience,
    count,
    ...receiversOf({ audience, user_id: userIds?.[0] ?? null, user_count: userIds?.length ?? 0 }),
    channel: readMessageChannel(product === 'message' ? (sent.channel ?? '') : '').name,
    ...(sent.trackId && { trackId: sent.trackId }),
    ...(sent.clientId && { clientId: sent.clientId }),
    ...(target as Pick<contract.Message, 'segment' | 'segmentId' | 'target'> | undefined),
    ...composeMessage(sent),
  }
}
