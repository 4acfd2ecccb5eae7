import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { waitForOlderWriters } from '#base/store/wait-for-older-writers.ts'
import { lookEveryMs, stopPatience } from './await-stop.ts'

/**
 * Waits until all processes have noticed that an app was stopped: what they hold of it then is with a provider. First
 * for those who were taking work, or storing what they send themselves, and have not seen the stop: they still may.
 */
export async function awaitAllStopped(ctx: Pick<Context, 'app' | 'store'>): Promise<void> {
  const deadlineMs = performance.now() + stopPatience.ms
  await waitForOlderWriters(ctx.store, stopPatience.ms).catch((error) => {
    if (!(error instanceof RequestError)) throw error
  })
  while ((await isAnySent(ctx)) && performance.now() < deadlineMs) await delay(lookEveryMs)
}

async function isAnySent({ app, store }: Pick<Context, 'app' | 'store'>): Promise<boolean> {
  const rows = await store.query(
    sql`select from delivery_batches
        where app_id = ${app.id} and state = 'queued' and stream <> 'expand' and stopped_at is null
          and lease_holder is not null and available_at > peyk_now() limit 1`,
    'is-any-sent',
  )
  return rows.length > 0
}
