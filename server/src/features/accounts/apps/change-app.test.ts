import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { changeApp } from './change-app.ts'
import { getAppLook } from './get-app-look.ts'
import { getAppZone } from './get-app-zone.ts'
import { getOwnApp } from './get-own-app.ts'

const store = await createTestStore()
const off = {
  allowUserMessages: false,
  allowPublicUserMessages: false,
  identityVerification: false,
  withholdCodesFromGuests: false,
  withholdCodesHours: 0,
  caps: [],
  controlGroup: 0,
  zone: 'UTC',
}

describe('an app', () => {
  it('changes what is given and keeps the rest of its settings', async () => {
    const ctx = await createTestApp(store)
    const other = await createTestApp(store)
    await store.query(sql`update apps set settings = '{"retention":{"eventsDays":30}}' where app_id = ${ctx.app.id}`)
    expect(await getOwnApp(ctx)).toEqual({ appId: ctx.app.label, name: 'Test app', ...off })
    expect(await changeApp(ctx, { defaultNotificationText: 'News', defaultIcon: 'https://a.example/i.png' })).toEqual({
      appId: ctx.app.label,
      name: 'Test app',
      defaultNotificationText: 'News',
      defaultIcon: 'https://a.example/i.png',
      ...off,
    })
    await changeApp(ctx, { name: ' My shop ' })
    expect(await changeApp(ctx, { allowUserMessages: true })).toMatchObject({ allowUserMessages: true })
    const { label } = ctx.app
    expect(await getAppLook(ctx)).toEqual({
      label,
      name: 'My shop',
      notificationText: 'News',
      icon: 'https://a.example/i.png',
    })
    await changeApp(ctx, { defaultNotificationText: '', defaultIcon: 'ic_news' })
    expect(await getAppLook(ctx)).toEqual({ label, name: 'My shop', notificationText: undefined, icon: 'ic_news' })
    const [row] = await store.query<{ settings: object }>(sql`select settings from apps where app_id = ${ctx.app.id}`)
    expect(row?.settings).toEqual({ retention: { eventsDays: 30 }, icon: 'ic_news', allowUserMessages: true })
    expect(await getOwnApp(other)).toEqual({ appId: other.app.label, name: 'Test app', ...off })
  })

  it('has a time zone, UTC unless it is set', async () => {
    const ctx = await createTestApp(store)
    expect(await changeApp(ctx, { zone: 'Asia/Tehran' })).toMatchObject({ zone: 'Asia/Tehran' })
    expect(await getAppZone(store, ctx.app.id)).toBe('Asia/Tehran')
    await expect(changeApp(ctx, { zone: 'Mars/Olympus' })).rejects.toMatchObject({
      message: '"zone": expected a time zone such as "Asia/Tehran", got "Mars/Olympus".',
      details: { field: 'zone' },
    })
    expect(await changeApp(ctx, { name: 'Other' })).toMatchObject({ zone: 'Asia/Tehran' })
    expect(await changeApp(ctx, { zone: '' })).toMatchObject({ zone: 'UTC' })
  })

  it.each(['javascript:alert(1)', ' java\nscript:alert(1)', 'data:image/png;base64,AA', 'file:///etc/passwd'])(
    'takes no icon such as %j',
    async (defaultIcon) => {
      const ctx = await createTestApp(store)
      await expect(changeApp(ctx, { defaultIcon })).rejects.toThrow('expected an http or https link')
      await expect(changeApp(ctx, { name: ' ' })).rejects.toThrow('the name of an app')
    },
  )
})
