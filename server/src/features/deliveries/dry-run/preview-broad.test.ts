import { randomUUID } from 'node:crypto'
import type { DryRun } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { effortLevel } from '@peyk/test/runner/effort.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { createCategory } from '../../categories/create-category.ts'
import { createCampaign } from '../../promo/promo.test-support.ts'
import { addCredentials, addDevice, tokens } from './preview.test-support.ts'
import { previewSend } from './preview-send.ts'

const HOUR = 3_600_000
const at = new Date('2026-11-15T10:00:00.000Z')
const store = await createTestStore()

const anyDevice = fc.record({
  zone: fc.constantFrom(null, null, 'Asia/Tehran', 'Europe/Berlin', 'Nowhere/Atall', ''),
  language: fc.constantFrom(undefined, 'fa', 'de'),
  launchedHoursAgo: fc.integer({ min: 0, max: 3 }),
  isUninstalled: fc.boolean(),
})
const anyUser = fc.record({
  devices: fc.array(anyDevice, { minLength: 1, maxLength: 4 }),
  refused: fc.constantFrom(undefined, undefined, 'news', '*'),
  uses: fc.array(
    fc.record({ hoursAgo: fc.integer({ min: 0, max: 30 }), category: fc.constantFrom('news', 'orders') }),
    {
      maxLength: 3,
    },
  ),
})
const anyMessage = fc.record({
  category: fc.constantFrom(undefined, 'news', 'orders'),
  whenCapped: fc.constantFrom('drop', 'wait'),
  isLocal: fc.boolean(),
  hours: fc.integer({ min: 1, max: 14 }),
  late: fc.constantFrom('now', 'nextDay', 'skip'),
  hasLanguages: fc.boolean(),
  hasCodes: fc.boolean(),
})
type AnyUser = typeof anyUser extends fc.Arbitrary<infer User> ? User : never
type AnyMessage = typeof anyMessage extends fc.Arbitrary<infer Message> ? Message : never

it('the dry run to everybody has the same plan as that to all users by their names', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyUser, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(0, 40),
      fc.array(anyMessage, { minLength: 5, maxLength: 5 }),
      async (users, controlGroup, messages) => {
        const ctx = await createApp(users, controlGroup)
        for (const message of messages.map(write)) {
          const toNamed = await preview(ctx, { users: users.map((_, index) => `user-${index}`), ...message }, 'users')
          expect(await preview(ctx, { target: {}, ...message }, 'group')).toEqual(toNamed)
        }
      },
    ),
    { numRuns: effortLevel === 'usual' ? 20 : 200 },
  )
})

async function createApp(users: readonly AnyUser[], controlGroup: number): Promise<Context> {
  const ctx = await createTestApp(store, { at: () => at })
  await addCredentials(ctx, 'fcm')
  for (const id of ['news', 'orders']) await createCategory(ctx, { id, name: { en: id } })
  await createCampaign(ctx, 'spring')
  const caps = [
    { count: 2, window: '24h' },
    { count: 1, window: '2h', categories: ['news'] },
  ]
  await changeApp(ctx, { caps, controlGroup, quietHours: { from: '22:00', to: '08:00' }, zone: 'Asia/Tokyo' })
  for (const [index, { devices, refused, uses }] of users.entries()) {
    const userId = `user-${index}`
    for (const [each, { zone, language, launchedHoursAgo, isUninstalled }] of devices.entries()) {
      const token = tokens.fcm(`${index}-${each}`)
      const { installationNo } = await addDevice(ctx, userId, { token, ...(language && { language }) })
      await store.query(sql`
        update installations set time_zone = ${zone}, launched_at = ${hoursAgo(launchedHoursAgo)},
          uninstalled_at = ${isUninstalled ? hoursAgo(0) : null}
        where app_id = ${ctx.app.id} and installation_no = ${installationNo}`)
    }
    const user = sql`(select user_no from users where app_id = ${ctx.app.id} and user_id = ${userId})`
    if (refused !== undefined)
      await store.query(sql`insert into user_preferences values (${ctx.app.id}, ${user}, ${refused}, false, now())`)
    if (uses.length > 0)
      await store.query(sql`
        insert into recent_hand_overs (app_id, user_no, message_ids, categories, times) values (${ctx.app.id}, ${user},
          ${uses.map(() => randomUUID())}::uuid[], ${uses.map((use) => use.category)}, ${uses.map((use) => hoursAgo(use.hoursAgo))}::timestamptz[])`)
  }
  return ctx
}

function hoursAgo(hours: number): string {
  return new Date(at.getTime() - hours * HOUR).toISOString()
}

function write({ category, whenCapped, isLocal, hours, late, hasLanguages, hasCodes }: AnyMessage) {
  const content = hasCodes ? 'Your code is {{ promoCode }}' : 'Hello'
  const local = hoursAgo(-hours).slice(0, 16)
  return {
    content,
    ...(category && { category, whenCapped }),
    ...(hasCodes && { trackId: 'spring' }),
    ...(isLocal && { sendAt: { local, zone: 'America/Lima', late } }),
    ...(hasLanguages && { contents: { fa: { content: `سلام ${content}` } } }),
  }
}

/** Without the samples: whose they are is not promised. */
async function preview(ctx: Context, sent: object, to: 'group' | 'users'): Promise<object> {
  const { samples: _, ...plan } = (await previewSend(ctx, { sent: sent as never, product: 'message', to })) as DryRun
  return plan
}
