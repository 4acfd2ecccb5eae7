import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { addInstallation, countRows, readBatches } from '../installation-rows.test-support.ts'
import { sendFromPanel } from './send-from-panel.ts'

const store = await createTestStore()

const as = (ctx: Context, role: string): Context => ({ ...ctx, member: { id: 'm', email: 'm@example.com', role } })
const eleven = Array.from({ length: 11 }, (_, index) => `u${index}`)

describe('a send from the panel', () => {
  it('goes to named users, a group or everybody, as a message or a notification', async () => {
    const ctx = as(await createTestApp(store), 'marketer')
    await addInstallation(ctx, 'sara', { deviceType: 'ios' })
    await addInstallation(ctx, 'omid', { subscriptions: ['public/news'] })
    const content = 'x'
    const product = 'message'
    const confirmed = 0
    expect((await sendFromPanel(ctx, { product, users: ['sara', 'omid'], content, confirmed })).count).toBe(2)
    expect((await sendFromPanel(ctx, { product, target: { deviceType: 'ios' }, content, confirmed })).count).toBe(1)
    expect((await sendFromPanel(ctx, { product, target: {}, channel: 'news', content, confirmed })).count).toBe(1)
    expect((await sendFromPanel(ctx, { product, user: '*', content, confirmed })).count).toBe(2)
    const notification = { title: 'Only shown' }
    expect(await sendFromPanel(ctx, { product: 'notification', target: {}, notification, confirmed })).toMatchObject({
      count: 2,
    })
    expect(await countRows(ctx, 'messages')).toBe(5)
    expect(await readBatches(ctx)).toHaveLength(5)
  })

  it('lets support send to ten users at most', async () => {
    const ctx = as(await createTestApp(store), 'support')
    const body = { product: 'message', content: 'x', confirmed: 0 } as const
    expect(await sendFromPanel(ctx, { ...body, users: eleven.slice(1) })).toMatchObject({ count: 0 })
    expect(await sendFromPanel(ctx, { ...body, users: [...eleven.slice(1), 'u1'] })).toMatchObject({ count: 0 })
    for (const receivers of [{ users: eleven }, { user: '*' }, { target: {} }, { target: { userId: 'u1' } }]) {
      await expect(sendFromPanel(ctx, { ...body, ...receivers })).rejects.toMatchObject({ code: 'wrong-role' })
    }
    expect(await countRows(ctx, 'messages')).toBe(2)
  })

  it('sends nothing when it became far more than was confirmed', async () => {
    const ctx = as(await createTestApp(store), 'admin')
    for (let index = 0; index < 52; index++) await addInstallation(ctx, `u${index}`)
    const body = { product: 'message', target: {}, content: 'x', trackId: 'sale' } as const
    await expect(sendFromPanel(ctx, { ...body, confirmed: 1 })).rejects.toMatchObject({
      code: 'audience-grew',
      details: { confirmed: 1, count: 52 },
    })
    expect(await countRows(ctx, 'messages')).toBe(0)
    expect(await countRows(ctx, 'campaigns')).toBe(0)
    expect(await sendFromPanel(ctx, { ...body, confirmed: 2 })).toMatchObject({ count: 52 })
    expect(await countRows(ctx, 'campaigns')).toBe(1)
  })

  it('refuses what could only be a mistake, and names the field', async () => {
    const ctx = as(await createTestApp(store), 'admin')
    const confirmed = 0
    const refusals = [
      [{ product: 'notification', target: {}, channel: 'news', notification: { title: 't' } }, 'channel'],
      [{ product: 'message', target: {}, content: '' }, 'content'],
      [{ product: 'message', target: {}, notification: { title: 't' } }, 'content'],
      [{ product: 'message', target: {}, content: 'x', fallback: { content: 'sms' } }, 'fallback'],
      [{ product: 'message', user: '*', content: 'x', fallback: { content: 'sms' } }, 'fallback'],
      [{ product: 'message', user: 'a', target: {}, content: 'x' }, 'target'],
      [{ product: 'message', user: 'a', content: '{{' }, 'content'],
    ] as const
    for (const [sent, field] of refusals) {
      await expect(sendFromPanel(ctx, { ...sent, confirmed })).rejects.toMatchObject({ details: { field } })
    }
    expect(await countRows(ctx, 'messages')).toBe(0)
  })
})
