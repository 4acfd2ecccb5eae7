import type { AnswerOf, BodyOf, panelMoments as contract } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { getAppZone } from '#features/accounts/apps/get-app-zone.ts'
import { occurrencesAhead } from '../series.ts'
import { firstMoments, readCourse, readStart } from './read-course.ts'

/** When a message that repeats would go, before there is one. */
export async function listMoments(
  ctx: Context,
  {
    repeat,
    sendAt,
  }: { repeat: BodyOf<typeof contract>['repeat']; sendAt?: BodyOf<typeof contract>['sendAt'] | undefined },
): Promise<AnswerOf<typeof contract>> {
  const course = readCourse(repeat, readStart(sendAt, ctx.now()), await getAppZone(db(ctx), ctx.app.id))
  return { next: firstMoments(course, occurrencesAhead).map(Number) }
}
