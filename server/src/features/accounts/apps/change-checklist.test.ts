import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { changeApp } from './change-app.ts'
import { changeChecklist } from './change-checklist.ts'

const store = await createTestStore()

it('is kept beside the other settings of the app, and of no other', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  await changeApp(ctx, { defaultIcon: 'https://shop.example/icon.png' })
  const settings = async (app: typeof ctx) => {
    const [row] = await store.query<{ settings: object }>(sql`select settings from apps where app_id = ${app.app.id}`)
    return row?.settings
  }
  expect(await changeChecklist(ctx, { isDismissed: true })).toEqual({ isDismissed: true })
  await changeApp(ctx, { defaultNotificationText: 'News' })
  const icon = 'https://shop.example/icon.png'
  expect(await settings(ctx)).toEqual({ icon, notificationText: 'News', isChecklistDismissed: true })
  expect(await settings(other)).toEqual({})
  expect(await changeChecklist(ctx, { isDismissed: false })).toEqual({ isDismissed: false })
  expect(await settings(ctx)).toMatchObject({ isChecklistDismissed: false })
})
