import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import { changeApp } from '../accounts/apps/change-app.ts'
import { getOwnApp } from '../accounts/apps/get-own-app.ts'
import { registerInstallation } from '../installations/register/register-installation.ts'
import { sendToUsers } from '../messages/send/send-to-users.ts'
import { getMessageRow } from '../messages/stored/get-message-row.ts'
import { createCategory } from './create-category.ts'
import { deleteCategory } from './delete-category.ts'
import { listCategories } from './list-categories.ts'
import { changeOwnPreferences } from './preferences/change-own-preferences.ts'
import { changePreferences } from './preferences/change-preferences.ts'
import { getOwnPreferences } from './preferences/get-own-preferences.ts'
import { getPreferences } from './preferences/get-preferences.ts'
import { replaceCategory } from './replace-category.ts'

const store = await createTestStore()
const news = { id: 'news', name: { en: 'News', fa: 'خبرها' } }

describe('categories', () => {
  it('are made, changed, listed and deleted with what users said of them', async () => {
    const ctx = await createTestApp(store)
    await createCategory(ctx, news)
    await createCategory(ctx, { id: 'orders', name: { en: 'Orders' }, description: { en: 'Where your order is.' } })
    expect(await replaceCategory(ctx, { id: 'news', description: { en: 'Weekly.' } })).toMatchObject({
      ...news,
      description: { en: 'Weekly.' },
    })
    expect((await listCategories(ctx)).data.map(({ id }) => id)).toEqual(['news', 'orders'])
    await changePreferences(ctx, { userId: 'sara', categories: { news: false } })
    expect(await deleteCategory(ctx, { id: 'news' })).toEqual({ id: 'news' })
    await createCategory(ctx, news)
    expect(await getPreferences(ctx, { userId: 'sara' })).toEqual({
      all: true,
      categories: { news: true, orders: true },
    })
    for (const change of [replaceCategory, deleteCategory]) {
      await expect(change(ctx, { id: 'tips' })).rejects.toThrow('There is no category with the id "tips".')
    }
  })

  it('have ids of their own, which are not reserved, and a limit', async () => {
    const ctx = await createTestApp(store)
    await createCategory(ctx, news)
    await expect(createCategory(ctx, news)).rejects.toThrow('A category with the id "news" already exists.')
    await expect(createCategory(ctx, { ...news, id: 'transactional' })).rejects.toThrow('is reserved')
    for (let index = 1; index < limits.categoriesPerApp; index++)
      await createCategory(ctx, { ...news, id: `c-${index}` })
    await expect(createCategory(ctx, { ...news, id: 'one-more' })).rejects.toThrow('more than 50 categories')
  })

  it('are known to who sends: others are refused, unless the app has none', async () => {
    const ctx = await createTestApp(store)
    await registerInstallation(ctx, { deviceType: 'android', userId: 'sara', isGuest: false })
    const send = async (category: string) =>
      ((await sendToUsers(ctx, { user: 'sara', content: 'Hello', category })) as { id: string }).id
    const readBody = async (id: string) => (await getMessageRow(ctx, id)).body
    expect(await readBody(await send('whatever they said'))).toEqual({ content: 'Hello' })
    await createCategory(ctx, news)
    await expect(send('tips')).rejects.toThrow('"category": expected one of "transactional", "news", got "tips".')
    await expect(
      sendToUsers(ctx, [
        { user: 'sara', content: 'Hello' },
        { user: 'sara', content: 'Hello', category: 'tips' },
      ]),
    ).rejects.toThrow('Element 1: "category"')
    expect(await readBody(await send('news'))).toEqual({ content: 'Hello', category: 'news' })
    expect(await readBody(await send('transactional'))).toEqual({ content: 'Hello' })
  })
})

describe('preferences', () => {
  it('are everything until somebody says otherwise, also of a user who is not known yet', async () => {
    const ctx = await createTestApp(store)
    await createCategory(ctx, news)
    expect(await getPreferences(ctx, { userId: 'nobody' })).toEqual({ all: true, categories: { news: true } })
    expect(await changePreferences(ctx, { userId: 'later', all: false })).toEqual({
      all: false,
      categories: { news: true },
    })
    expect(await changePreferences(ctx, { userId: 'later', categories: { news: false } })).toEqual({
      all: false,
      categories: { news: false },
    })
    expect(await changePreferences(ctx, { userId: 'later', all: true })).toEqual({
      all: true,
      categories: { news: false },
    })
    expect(await changePreferences(ctx, { userId: 'later' })).toEqual({ all: true, categories: { news: false } })
  })

  it('name categories that there are', async () => {
    const ctx = await createTestApp(store)
    const change = (categories: Record<string, boolean>) => changePreferences(ctx, { userId: 'sara', categories })
    await expect(change({ tips: true })).rejects.toThrow(
      '"categories.tips": there is no category "tips"; the app has none.',
    )
    await createCategory(ctx, news)
    await expect(change({ news: false, tips: true })).rejects.toThrow('the app has "news"')
    await expect(change({ transactional: false })).rejects.toThrow('transactional messages cannot be refused')
    expect(await getPreferences(ctx, { userId: 'sara' })).toMatchObject({ categories: { news: true } })
  })

  it('are those of whoever is logged in on an installation, for its client', async () => {
    const ctx = await createTestApp(store)
    await createCategory(ctx, news)
    const { id } = await registerInstallation(ctx, { deviceType: 'android', userId: 'sara', isGuest: false })
    expect(await changeOwnPreferences(ctx, { id, categories: { news: false } })).toMatchObject({
      categories: { news: false },
    })
    expect(await getPreferences(ctx, { userId: 'sara' })).toMatchObject({ categories: { news: false } })
    expect(await getOwnPreferences(ctx, { id })).toEqual({ all: true, categories: { news: false }, offered: [news] })
    await expect(getOwnPreferences(ctx, { id: 'no-uuid' })).rejects.toThrow('There is no installation')
  })
})

describe('the rules of an app', () => {
  it('are kept, shown and taken away', async () => {
    const ctx = await createTestApp(store)
    await createCategory(ctx, news)
    const rules = {
      quietHours: { from: '22:00', to: '08:00' },
      caps: [
        { count: 3, window: '24h' },
        { count: 1, window: '7d', categories: ['news'] },
      ],
      controlGroup: 2.5,
    }
    expect(await changeApp(ctx, rules)).toMatchObject(rules)
    expect(await getOwnApp(ctx)).toMatchObject(rules)
    const none = await changeApp(ctx, { quietHours: null, caps: [], controlGroup: 0 })
    expect(none).toMatchObject({ caps: [], controlGroup: 0 })
    expect(none).not.toHaveProperty('quietHours')
  })

  it('make sense', async () => {
    const ctx = await createTestApp(store)
    await expect(changeApp(ctx, { quietHours: { from: '08:00', to: '08:00' } })).rejects.toThrow('"quietHours"')
    await expect(changeApp(ctx, { caps: [{ count: 1, window: '31d' }] })).rejects.toThrow(
      '"caps.0.window": expected at most 30 days',
    )
    await expect(changeApp(ctx, { caps: [{ count: 1, window: '1d', categories: ['tips'] }] })).rejects.toThrow(
      '"caps.0.categories": there is no category "tips".',
    )
  })
})
