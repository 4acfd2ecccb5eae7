import { createHash } from 'node:crypto'
import { announceWork } from '#base/bus/wake.ts'
import type { Context } from '#base/context.ts'
import { runOnce } from '#base/idempotency/idempotency.ts'
import { mayUsersSend } from '../../accounts/apps/may-users-send.ts'
import { isLoggedIn } from '../../installations/users/is-logged-in.ts'
import { acceptPersonal } from '../accept/accept-personal.ts'
import { readUserMessage, type UserMessageInput } from './read-user-message.ts'

/**
 * A message from a user who is logged in to another, or to a public channel, where the app allows that. It says who sent
 * it. Sent again with the same id, it is sent once.
 */
export async function sendFromUser(
  ctx: Context,
  input: UserMessageInput,
): Promise<{ isAllowed: boolean; isRead: boolean }> {
  const { toUsers, toPublicChannels } = await mayUsersSend(ctx)
  if (!toUsers || !(await isLoggedIn(ctx, input.from))) return { isAllowed: false, isRead: false }
  const read = readUserMessage(input)
  if (!read) return { isAllowed: true, isRead: false }
  const { message, id } = read
  if (message.user === '*' && !toPublicChannels) return { isAllowed: false, isRead: true }
  const signed = { ...message, data: { senderId: input.from.userId } }
  if (id === undefined) await acceptPersonal(ctx, signed, 'message')
  else {
    const bodyHash = createHash('sha256').update(JSON.stringify(message)).digest()
    const key = `${input.from.installationId}/${id}`
    await runOnce(ctx, { route: 'publish', key, bodyHash }, (inner) => acceptPersonal(inner, signed, 'message'))
    announceWork(ctx.store)
  }
  return { isAllowed: true, isRead: true }
}
