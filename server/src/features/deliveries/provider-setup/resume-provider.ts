import type * as contract from '@peyk/contract'
import { announceWork } from '#base/bus/wake.ts'
import { type Context, inTransaction } from '#base/context.ts'
import { liftPause } from '../../accounts/providers/lift-pause.ts'
import type { CredentialProvider } from '../../accounts/providers/stored-provider.ts'
import { wakeBatches } from '../control/wake-batches.ts'

export type Resumed = contract.AnswerOf<typeof contract.resumeProvider>

/** By a person who knows that the cause is gone. It pauses again if it is not. */
export async function resumeProvider(ctx: Context, { provider }: { provider: CredentialProvider }): Promise<Resumed> {
  const resumed = await inTransaction(ctx, async (tx) => {
    const { wasPaused } = await liftPause({ ...ctx, tx }, { provider })
    // What waits without a pause waits because the provider asked for it.
    return { provider, wasPaused, released: wasPaused ? await wakeBatches({ ...ctx, tx }, { provider }) : 0 }
  })
  announceWork(ctx.store)
  return resumed
}
