import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { timeOrderedId } from '#base/ids.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { readCounts } from './read-counts.ts'

const store = await createTestStore()

it.each([
  [19_999, [0, 1]],
  [20_000, [0, 0]],
])('counts of a message to %i are counted again, or kept for a moment', async (recipients, expected) => {
  const ctx = await createTestApp(store)
  await registerInstallation(ctx, { deviceType: 'android', userId: 'sara', deviceToken: 'token' })
  const message = { id: timeOrderedId(new Date()), recipients }
  const count = async () => (await readCounts(ctx, message, undefined)).tested.length
  const before = await count()
  await store.query(sql`
    insert into deliveries (app_id, message_id, installation_no, state, variant, tested_at)
    select app_id, ${message.id}, installation_no, 'sent', 'A', now() from installations where app_id = ${ctx.app.id}`)
  expect([before, await count()]).toEqual(expected)
})

it('asks once for all who ask at the same time, and again after a fault', async () => {
  const ctx = await createTestApp(store)
  const message = { id: timeOrderedId(new Date()), recipients: 1_000_000 }
  const [one, two] = [readCounts(ctx, message, undefined), readCounts(ctx, message, undefined)]
  expect(one).toBe(two)
  await one
  const faulty = { id: 'no id', recipients: 1_000_000 }
  await expect(readCounts(ctx, faulty, undefined)).rejects.toThrow()
  const again = readCounts(ctx, faulty, undefined)
  await expect(again).rejects.toThrow()
})
