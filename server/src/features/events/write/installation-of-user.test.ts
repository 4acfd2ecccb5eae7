import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { addInstallation, addUser, giveInstallation, readEvents } from '../events.test-support.ts'
import { trackBulk } from '../track/track-bulk.ts'
import { trackEvent } from '../track/track-event.ts'

const store = await createTestStore()

const states = ['present', 'uninstalled', 'logged out', 'logged out, uninstalled', 'another’s', 'none'] as const
type State = (typeof states)[number]

interface Device {
  id: string
  state: State
}

test('of three devices in any states, an event goes to the same one, alone or in an array', async () => {
  const ctx = await createTestApp(store)
  const expected = new Map<string, string | null>()
  const trios = states.flatMap((newest) => states.flatMap((middle) => states.map((oldest) => [newest, middle, oldest])))
  await Promise.all(
    trios.map(async (trio) => {
      const userId = trio.join(' / ')
      await addUser(ctx, userId)
      const devices = await Promise.all(trio.map((state, index) => addDevice(ctx, userId, state as State, index + 1)))
      expected.set(userId, deviceOf(devices.filter((device) => device !== undefined)))
    }),
  )
  const userIds = [...expected.keys()]
  await Promise.all(userIds.map((userId) => trackEvent(ctx, { userId, eventName: 'Alone' })))
  await trackBulk(
    ctx,
    userIds.map((userId) => ({ userId, eventName: 'Array' })),
  )
  const events = await readEvents(ctx)
  for (const name of ['Alone', 'Array']) {
    const found = events.filter((event) => event.name === name)
    expect(new Map(found.map((event) => [event.user_id, event.installation_id]))).toEqual(expected)
  }
})

/** From the newest login to the oldest. */
function deviceOf(devices: readonly Device[]): string | null {
  const present = devices.find(({ state }) => state === 'present')
  return (present ?? devices.find(({ state }) => state !== 'another’s'))?.id ?? null
}

async function addDevice(ctx: Context, userId: string, state: State, minutesAgo: number): Promise<Device | undefined> {
  if (state === 'none') return undefined
  const { id } = await addInstallation(ctx, userId, minutesAgo)
  if (state.startsWith('logged out')) await giveInstallation(ctx, id, `guest of ${id}`, true)
  if (state === 'another’s') await giveInstallation(ctx, id, 'another', false)
  if (state.endsWith('uninstalled'))
    await store.query(sql`update installations set uninstalled_at = now() where app_id = ${ctx.app.id} and id = ${id}`)
  return { id, state }
}
