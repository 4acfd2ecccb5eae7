import { begunAt, type Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { checkOwnUser, type UserClaim } from '../users/check-own-user.ts'
import { checkTagCount } from './check-tag-count.ts'
import { writeTags } from './write-tags.ts'

/** Removes names, with or without a value. An empty list is a mistake, not "all" [users-and-events.md#tags]. */
export async function removeTags(ctx: Context, input: UserClaim & { tags: string[] }): Promise<{ count: number }> {
  if (input.tags.length === 0) {
    throw new RequestError('invalid-request', '"tags": expected at least one tag to remove, got [].', {
      details: { field: 'tags' },
    })
  }
  checkTagCount(input.tags)
  await checkOwnUser(ctx, input)
  const operations = input.tags.map((tag) => ({ kind: 'remove' as const, tag }))
  return writeTags(ctx, { appId: ctx.app.id, userId: input.userId, operations, begunAt: begunAt(ctx) })
}
