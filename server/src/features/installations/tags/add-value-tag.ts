import { begunAt, type Context } from '#base/context.ts'
import { checkOwnUser, type UserClaim } from '../users/check-own-user.ts'
import { writeTags } from './write-tags.ts'

/** A new value replaces the old one [interface.md#44-add-and-remove-tags]. */
export async function addValueTag(
  ctx: Context,
  input: UserClaim & { tag: string; value: string },
): Promise<{ count: number }> {
  await checkOwnUser(ctx, input)
  const { userId, tag, value } = input
  return writeTags(ctx, { appId: ctx.app.id, userId, operations: [{ kind: 'set', tag, value }], begunAt: begunAt(ctx) })
}
