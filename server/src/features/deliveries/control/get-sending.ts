import type { Sending } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { findStop } from '../../accounts/apps/stop-store.ts'
import { countSending } from './count-sending.ts'

/** Whether all sending of the app is stopped, since when and by whom, and what is still to be sent. */
export async function getSending(ctx: Pick<Context, 'app' | 'store' | 'tx'>): Promise<Sending> {
  const stop = await findStop(ctx)
  return {
    stopped: stop !== undefined,
    ...(stop && { since: stop.at.getTime(), ...(stop.by !== null && { by: stop.by }) }),
    ...(await countSending(ctx)),
  }
}
