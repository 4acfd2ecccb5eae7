import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { createCategory } from '../../categories/create-category.ts'
import { changePreferences } from '../../categories/preferences/change-preferences.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { inControlGroup, isInControlGroup } from '../hand-over/control-group.ts'
import { reserveHandOvers } from '../hand-over/reserve-hand-overs.ts'
import { previewSend } from './preview-send.ts'

const store = await createTestStore()
let ctx: Context

beforeEach(async () => {
  ctx = await createTestApp(store)
  for (const id of ['news', 'orders']) await createCategory(ctx, { id, name: { en: id } })
})

async function preview(message: object = {}) {
  const sent = { target: {}, content: 'Hello', category: 'news', ...message }
  const { waiting, ends, count } = await previewSend(ctx, { sent, product: 'message', to: 'group' })
  return { waiting, ends, count }
}

async function register(userId: string, timeZone?: string): Promise<number> {
  await registerInstallation(ctx, { deviceType: 'android', userId, isGuest: false, ...(timeZone && { timeZone }) })
  const [row] = await store.query<{ user_no: number }>(
    sql`select user_no from users where app_id = ${ctx.app.id} and user_id = ${userId}`,
  )
  return row?.user_no as number
}

const nobody = {
  waiting: { quietHours: 0, capped: 0 },
  ends: { control: 0, unsubscribed: 0, capped: 0, expired: 0 },
}

describe('the dry run of a message with a category', () => {
  it('says that nobody is held back where nothing is set, and says nothing of a transactional one', async () => {
    await register('sara')
    expect(await preview()).toEqual({ ...nobody, count: 1 })
    expect(await preview({ category: undefined })).toEqual({ count: 1, waiting: undefined, ends: undefined })
  })

  it('counts the devices of users who do not want it, and of those who had as many as a cap allows', async () => {
    const numbers = [await register('sara'), await register('sara'), await register('omid'), await register('nima')]
    await changePreferences(ctx, { userId: 'nima', categories: { news: false } })
    const caps = [{ count: 1, window: '24h', categories: ['news'] }]
    await changeApp(ctx, { caps })
    const messageId = '01a1ec13-eae6-734b-aa09-3fd6629c2ef7'
    const wanted = [{ messageId, category: 'news', userNos: numbers.slice(0, 1) }]
    await reserveHandOvers(store, { appId: ctx.app.id, caps, at: ctx.now(), wanted })
    expect(await preview()).toEqual({ ...nobody, ends: { ...nobody.ends, unsubscribed: 1, capped: 2 }, count: 4 })
    expect(await preview({ whenCapped: 'wait' })).toMatchObject({ waiting: { capped: 2 }, ends: { capped: 0 } })
    expect(await preview({ category: 'orders' })).toMatchObject(nobody)
    expect(await preview({ sendAt: Date.now() + 25 * 3_600_000 })).toMatchObject({
      ends: { capped: 0, unsubscribed: 1 },
    })
  })

  it('counts who sleeps at that moment, on their own clocks', async () => {
    await register('here', 'Etc/UTC')
    await register('there', 'Etc/GMT-6')
    await register('nowhere', 'Nowhere/Atall')
    await changeApp(ctx, { quietHours: { from: '22:00', to: '08:00' } })
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    expect(await preview({ sendAt: `${tomorrow}T23:00Z` })).toMatchObject({ waiting: { quietHours: 3 } })
    expect(await preview({ sendAt: `${tomorrow}T04:00Z` })).toMatchObject({ waiting: { quietHours: 2 } })
    expect(await preview({ sendAt: `${tomorrow}T17:00Z` })).toMatchObject({ waiting: { quietHours: 1 } })
    expect(await preview({ sendAt: `${tomorrow}T12:00Z` })).toMatchObject(nobody)
    expect(await preview({ sendAt: `${tomorrow}T23:00Z`, ttl: 3_600 })).toMatchObject({
      waiting: { quietHours: 0 },
      ends: { expired: 3 },
    })
    expect(await preview({ sendAt: `${tomorrow}T23:00Z`, quietHours: 'ignore' })).toMatchObject(nobody)
  })

  it('finds the same control group in the database as everywhere else', async () => {
    const users = Array.from({ length: 2_000 }, (_, index) => `user-${index} کاربر`)
    for (const percent of [0.5, 10, 50]) {
      const rows = await store.query<{ user_id: string }>(sql`
        select user_id from unnest(${users}::text[]) as u(user_id) where ${inControlGroup(7, sql`u.user_id`, percent)}`)
      expect(rows.map(({ user_id }) => user_id)).toEqual(users.filter((user) => isInControlGroup(7, user, percent)))
    }
    await changeApp(ctx, { controlGroup: 50 })
    for (const user of ['a', 'b', 'c', 'd', 'e', 'f']) await register(user)
    const control = ['a', 'b', 'c', 'd', 'e', 'f'].filter((user) => isInControlGroup(ctx.app.id, user, 50)).length
    expect(await preview()).toMatchObject({ ends: { control }, count: 6 })
  })
})
