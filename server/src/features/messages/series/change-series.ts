import type { AnswerOf, AnyNotification, changeSeries as contract } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { getAppZone } from '../../accounts/apps/get-app-zone.ts'
import { draftScheduled } from '../schedule/draft-scheduled.ts'
import { mergeChange } from '../schedule/merge-change.ts'
import { readChange } from '../send/read-change.ts'
import { allKeys } from '../send/read-receivers.ts'
import type { Course } from './course/course.ts'
import { readCourse, readStart } from './course/read-course.ts'
import { ruleFault } from './course/read-rule.ts'
import { extendSeries } from './extend-series.ts'
import { lockGoingSeries } from './lock-going-series.ts'
import { removeUnchanged, rewriteOccurrences } from './occurrences-store.ts'
import type { Series } from './series.ts'
import { describeSeries } from './series-answer.ts'
import { updateSeries } from './series-store.ts'

/**
 * Changes what is said of a series, for the occurrences that have not started and were not changed by themselves; all
 * else stays. With another rule, zone or start they are made anew, from now on.
 */
export async function changeSeries(
  ctx: Context,
  { id, change }: { id: string; change: AnyNotification },
): Promise<AnswerOf<typeof contract>> {
  const { repeat, sendAt, ...given } = await readChange(ctx, change)
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const known = await lockGoingSeries(ctx, tx, id)
    const { request, isForOthers } = await mergeChange(inner, known, given)
    const draft = await draftScheduled(inner, request, { product: known.product, to: allKeys })
    const changed: Series = {
      ...{ ...known, ...draft, ...(!isForOthers && { target: known.target }) },
      ...{ changedAt: ctx.now(), approvedAs: undefined },
    }
    await rewriteOccurrences(tx, changed)
    const appZone = await getAppZone(tx, ctx.app.id)
    const course = changeCourse(known.course, { repeat, sendAt }, { now: ctx.now(), appZone })
    if (course) return describeSeries(inner, await makeAnew(inner, { ...changed, course }))
    await updateSeries(tx, changed)
    return describeSeries(inner, changed)
  })
}

/** Undefined when nothing is said of it. */
function changeCourse(
  known: Course,
  { repeat, sendAt }: { repeat: AnyNotification['repeat']; sendAt: AnyNotification['sendAt'] },
  { now, appZone }: { now: Date; appZone: string },
): Course | undefined {
  if (repeat == null && sendAt == null) return undefined
  const { startsAt, localTime } = known
  const start = sendAt == null ? { at: startsAt, localTime } : readStart(sendAt, now)
  const zone = localTime?.zone ?? known.zone
  return readCourse(repeat ?? { rule: known.rule, zone, ...endOf(known) }, start, appZone)
}

function endOf({ until, times }: Course): { until?: number; count?: number } {
  if (until) return { until: until.getTime() }
  return times === undefined ? {} : { count: times }
}

/** Those that were made ahead and not changed are taken back, and do not count. */
async function makeAnew({ store, tx, ...ctx }: Context & { tx: Transaction }, series: Series): Promise<Series> {
  const now = ctx.now()
  const made = series.made - (await removeUnchanged(tx, series))
  const lastAt = series.course.startsAt > now ? undefined : now
  const extended = await extendSeries(tx, { ...series, made, lastAt }, { store, now, passed: 'skipped' })
  if (extended.state === 'ended') throw ruleFault('from now on, this does not happen any more')
  return extended
}
