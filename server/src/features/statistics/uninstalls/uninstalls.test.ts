import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { unregisterInstallation } from '../../installations/uninstalls/unregister-installation.ts'
import { exportUninstalls } from './export-uninstalls.ts'
import { listUninstalls } from './list-uninstalls.ts'

const store = await createTestStore()
const noon = Date.UTC(2026, 10, 15, 12)
const DAY = 86_400_000

async function leave(ctx: Context, userId: string, deviceType: string, at: number): Promise<void> {
  const then = { ...ctx, now: () => new Date(at) }
  const { id } = await registerInstallation(then, { deviceType, userId })
  await unregisterInstallation(then, { id })
}

const setUp = () => createTestApp(store, { at: () => new Date(noon) })

it('lists who has gone, newest first, by platform and kind', async () => {
  const [ctx, other] = [await setUp(), await setUp()]
  await registerInstallation(ctx, { deviceType: 'web', userId: 'sara' })
  await leave(ctx, 'sara', 'ios', noon - 1 * DAY)
  await leave(ctx, 'omid', 'android', noon - 2 * DAY)
  await leave(ctx, 'tv', 'tizen', noon - 20 * DAY)
  await leave(other, 'theirs', 'ios', noon)
  const users = async (query: Parameters<typeof listUninstalls>[1]) =>
    (await listUninstalls(ctx, query)).data.map(({ userId }) => userId)
  expect(await users({})).toEqual(['sara', 'omid', 'tv'])
  expect(await users({ days: 7 })).toEqual(['sara', 'omid'])
  expect(await users({ type: 'churn' })).toEqual(['omid', 'tv'])
  expect(await users({ platform: 'other' })).toEqual(['tv'])
  expect(await users({ platform: 'ios' })).toEqual(['sara'])
})

it('goes on where the page before ended, also among those of one moment', async () => {
  const ctx = await setUp()
  for (let index = 0; index < 35; index++) await leave(ctx, `user-${index}`, 'android', noon - (index % 3) * 1000)
  const first = await listUninstalls(ctx, {})
  expect(first.data).toHaveLength(25)
  const second = await listUninstalls(ctx, { cursor: first.cursor as string })
  expect(second.data).toHaveLength(10)
  expect(second.cursor).toBeUndefined()
  expect(new Set([...first.data, ...second.data].map(({ userId }) => userId)).size).toBe(35)
  for (const cursor of ['x', '1', '-1-2', '1-2-3']) {
    await expect(listUninstalls(ctx, { cursor })).rejects.toMatchObject({ code: 'invalid-request' })
  }
})

it('is written to a file', async () => {
  const ctx = await setUp()
  await leave(ctx, 'sara', 'ios', noon - DAY)
  const { fileName, header, rows } = await exportUninstalls(ctx, { days: 7 })
  expect(fileName).toBe(`uninstalls-${ctx.app.label}-7-days-to-2026-11-15.csv`)
  expect(header).toHaveLength(5)
  const written: unknown[] = []
  for await (const row of rows) written.push(row)
  expect(written).toEqual([
    ['2026-11-14T12:00:00.000Z', 'ios', 'sara', expect.stringMatching(/^[0-9a-f-]{36}$/), 'yes'],
  ])
})
