import { addDevices, createDelivery, type TestDevice } from '@peyk/test/delivery.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { checkTokens } from './check-tokens.ts'
import { listHeldUninstalls } from './list-held-uninstalls.ts'

const { providers, store, createApp } = await createDelivery()

let ctx: Context
beforeEach(async () => {
  ctx = await createApp()
})
afterEach(() => providers.faults.clear())

const busy = { reason: 'UNAVAILABLE', retryAfter: 3_600 }

function passes() {
  return store.query<{ checked: number; is_done: boolean }>(sql`
    select checked, finished_at is not null as is_done from token_checks where app_id = ${ctx.app.id} and provider = 'fcm'`)
}

describe('the token check of a provider that is away', () => {
  it('stops, and goes on at a later turn', async () => {
    await addDevices(ctx, providers, 'fcm', 30)
    providers.faults.set('fcm', [busy])
    await checkTokens(ctx)
    expect(await passes()).toEqual([{ checked: 0, is_done: false }])
    providers.faults.clear()
    await checkTokens(ctx)
    expect(await passes()).toEqual([{ checked: 30, is_done: true }])
  })

  it('doubts what it says of many, counted among those that it answered at all', async () => {
    const devices = await addDevices(ctx, providers, 'fcm', 100)
    for (const { token } of devices.slice(-12) as TestDevice[]) providers.tokens.kill('fcm', token)
    providers.faults.set('fcm', [{ match: { first: 45 }, ...busy }])
    await checkTokens(ctx)
    expect(await listHeldUninstalls(ctx)).toMatchObject([{ provider: 'fcm', count: 12 }])
  })

  it('ends at once when the service stops', async () => {
    await addDevices(ctx, providers, 'fcm', 30)
    const stopping = new AbortController()
    const checking = checkTokens({ ...ctx, signal: stopping.signal })
    stopping.abort()
    await checking
    expect((await passes()).filter(({ is_done }) => is_done)).toEqual([])
  })
})
