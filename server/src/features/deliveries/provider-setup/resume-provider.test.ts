import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { onWork } from '#base/bus/wake.ts'
import type { Context } from '#base/context.ts'
import { makeServiceAccount } from '../../accounts/providers/credentials.test-support.ts'
import { pauseProvider } from '../../accounts/providers/pause-provider.ts'
import { readCredentials } from '../../accounts/providers/read-credentials.ts'
import { setCredentials } from '../../accounts/providers/set-credentials.ts'
import { resumeProvider } from './resume-provider.ts'

const store = await createTestStore()

async function addBatch(
  ctx: Context,
  batch: { stream: string; state?: string; leaseHolder?: string; attempts?: number },
) {
  await store.query(sql`
    insert into delivery_batches (app_id, message_id, lane, state, stream, installation_nos, available_at, lease_holder, attempts)
    values (${ctx.app.id}, ${randomUUID()}, 'group', ${batch.state ?? 'queued'}, ${batch.stream}, '{1}',
      now() + interval '1 hour', ${batch.leaseHolder ?? null}, ${batch.attempts ?? 1})`)
}

async function makePaused() {
  const ctx = await createTestApp(store)
  const { credentials } = readCredentials('fcm', makeServiceAccount(), undefined)
  await setCredentials(ctx, { provider: 'fcm', credentials, isSimulated: false })
  await pauseProvider(ctx, { provider: 'fcm', reason: 'FCM 401' })
  return ctx
}

const dueOf = async (ctx: Context) =>
  (
    await store.query<{ stream: string }>(sql`
      select stream from delivery_batches where app_id = ${ctx.app.id} and available_at <= now() order by stream`)
  ).map(({ stream }) => stream)

describe('a provider that is resumed', () => {
  it('has what waited for it due at once, and nothing else', async () => {
    const [ctx, other] = [await makePaused(), await makePaused()]
    for (const stream of ['fcm', 'mixed', 'apns', 'expand']) await addBatch(ctx, { stream })
    await addBatch(ctx, { stream: 'fcm', leaseHolder: randomUUID() })
    await addBatch(ctx, { stream: 'fcm', state: 'paused' })
    // Its time has not come: it was never tried.
    await addBatch(ctx, { stream: 'fcm', attempts: 0 })
    await addBatch(other, { stream: 'fcm' })
    let told = 0
    const stop = onWork(store, () => told++)
    expect(await resumeProvider(ctx, { provider: 'fcm' })).toEqual({ provider: 'fcm', wasPaused: true, released: 2 })
    stop()
    expect(told).toBe(1)
    expect(await dueOf(ctx)).toEqual(['fcm', 'mixed'])
    expect(await dueOf(other)).toEqual([])
  })

  it('was perhaps not paused: then what waits does so for another reason', async () => {
    const ctx = await makePaused()
    await resumeProvider(ctx, { provider: 'fcm' })
    await addBatch(ctx, { stream: 'fcm' })
    expect(await resumeProvider(ctx, { provider: 'fcm' })).toMatchObject({ wasPaused: false, released: 0 })
    expect(await dueOf(ctx)).toEqual([])
  })
})
