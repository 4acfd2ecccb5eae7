import type { AnyNotification } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { getAppZone } from '#features/accounts/apps/get-app-zone.ts'
import { readWhen, type When } from '../../schedule/read-when.ts'
import { shownAt } from './occurrences-after.ts'
import { firstMoments, readCourse, readStart } from './read-course.ts'

/** When a message goes that is not accepted yet, for the first time if it repeats; undefined for now. */
export async function readFirst(ctx: Context, sent: AnyNotification): Promise<When | undefined> {
  const when = readWhen(sent, ctx.now())
  if (sent.repeat == null) return when
  const course = readCourse(sent.repeat, readStart(sent.sendAt, ctx.now()), await getAppZone(db(ctx), ctx.app.id))
  const [dueAt] = firstMoments(course, 1) as [Date]
  const { localTime, zone } = course
  return { dueAt, ...(localTime && { localTime: { ...localTime, local: shownAt(dueAt, zone) } }) }
}
