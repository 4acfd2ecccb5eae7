import type { UserMessages } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { readIdCursor } from '#base/page-cursor.ts'
import { getUser } from './get-user.ts'
import { findMessageIds, readUserMessages } from './user-messages-store.ts'

const perPage = 25

/**
 * Messages to a user by name, and those to groups that went to a device of the user; newest first. Deliveries are found
 * by message: so many messages to groups are looked through for a page that the cursor says how far it came.
 */
export async function listUserMessages(
  ctx: Context,
  input: { userId: string; cursor?: string | undefined },
): Promise<UserMessages> {
  const before = readIdCursor(input.cursor)
  const { user_no } = await getUser(db(ctx), ctx, input.userId)
  const owner = { userId: input.userId, userNo: user_no }
  const { ids, lookedUpTo } = await findMessageIds(ctx, owner, before, perPage)
  return {
    data: await readUserMessages(ctx, owner, ids),
    ...(lookedUpTo !== undefined && { cursor: lookedUpTo }),
  }
}
