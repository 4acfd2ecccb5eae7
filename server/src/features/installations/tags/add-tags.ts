import { begunAt, type Context } from '#base/context.ts'
import { checkOwnUser, type UserClaim } from '../users/check-own-user.ts'
import { checkTagCount } from './check-tag-count.ts'
import { writeTags } from './write-tags.ts'

/** A tag that has a value keeps it [users-and-events.md#tags]. */
export async function addTags(ctx: Context, input: UserClaim & { tags: string[] }): Promise<{ count: number }> {
  checkTagCount(input.tags)
  await checkOwnUser(ctx, input)
  const operations = input.tags.map((tag) => ({ kind: 'add' as const, tag }))
  return writeTags(ctx, { appId: ctx.app.id, userId: input.userId, operations, begunAt: begunAt(ctx) })
}
