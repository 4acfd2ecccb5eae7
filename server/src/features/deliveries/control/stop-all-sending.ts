import type { Sending } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { markStopped } from '../../accounts/apps/stop-store.ts'
import { awaitAllStopped } from './await-all-stopped.ts'
import { getSending } from './get-sending.ts'

/**
 * Stops all that the app sends, until it is resumed, and says what was stopped. Nothing is changed but the app: whoever
 * takes work, reads an inbox or sends an SMS asks whether it is stopped. What is accepted meanwhile waits with the rest.
 */
export async function stopAllSending(ctx: Context): Promise<Sending> {
  await markStopped(ctx)
  if (!ctx.tx) await awaitAllStopped(ctx)
  return getSending(ctx)
}
