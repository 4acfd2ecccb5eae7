import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { addInstallation, countRows } from '../installation-rows.test-support.ts'
import { notifyUsers } from '../send/notify-users.ts'
import { sendByQuery } from '../send/send-by-query.ts'
import { sendToUsers } from '../send/send-to-users.ts'

const store = await createTestStore()
const long = 'x'.repeat(5_000)

describe('a message that no provider would take', () => {
  it('is refused when it is accepted, with the platform and the size', async () => {
    const ctx = await createTestApp(store)
    await expect(sendToUsers(ctx, { user: 'u', content: long })).rejects.toMatchObject({
      status: 400,
      code: 'payload-too-large',
      message: expect.stringMatching(
        /^The notification is too large for fcm on android: it has 5\d\d\d bytes, allowed are 4096\.$/,
      ),
      details: { provider: 'fcm', platform: 'android', bytes: expect.any(Number), allowed: 4096 },
    })
    await expect(notifyUsers(ctx, { target: {}, content: long })).rejects.toMatchObject({ code: 'payload-too-large' })
    await expect(sendByQuery(ctx, { target: {}, content: 'x', data: { long } })).rejects.toMatchObject({
      code: 'payload-too-large',
    })
    expect(await countRows(ctx, 'messages')).toBe(0)
  })

  it('is refused also when only one platform would refuse it', async () => {
    const ctx = await createTestApp(store)
    const fits = (content: string) => sendToUsers(ctx, { user: 'u', content, notification: { title: 't' } })
    let length = 3_600
    for (; ; length++) {
      const refused = await fits('x'.repeat(length)).then(
        () => undefined,
        (error) => error.details,
      )
      if (!refused) continue
      expect(refused.bytes).toBe(refused.allowed + 1)
      break
    }
    await expect(fits('x'.repeat(length - 1))).resolves.toMatchObject({ count: 0 })
  })

  it('is refused when it is too large in one language, which is named', async () => {
    const ctx = await createTestApp(store)
    const sent = { user: 'u', content: 'short', contents: { en: { content: 'short' }, fa: { content: long } } }
    await expect(sendToUsers(ctx, sent)).rejects.toMatchObject({
      code: 'payload-too-large',
      message: expect.stringMatching(/^"contents.fa": The notification is too large for fcm on android: it has 5/),
      details: { field: 'contents.fa', language: 'fa', provider: 'fcm', platform: 'android' },
    })
    await expect(sendToUsers(ctx, [{ user: 'u', content: 'x' }, sent])).rejects.toMatchObject({
      message: expect.stringMatching(/^Element 1: "contents.fa": The/),
      details: { field: 'contents.fa', index: 1 },
    })
    const many = Object.fromEntries(['fa', 'en', 'de', 'fr'].map((tag) => [tag, { content: 'x'.repeat(2_000) }]))
    await expect(sendToUsers(ctx, { ...sent, contents: many })).resolves.toMatchObject({ count: 0 })
    const huge = { fa: { data: { text: 'x'.repeat(limits.messageBytes) } } }
    await expect(sendToUsers(ctx, { ...sent, silent: true, contents: huge })).rejects.toMatchObject({
      code: 'too-large',
    })
  })

  it('is named by its index in a list, and nothing of the list is sent', async () => {
    const ctx = await createTestApp(store)
    const sent = [
      { user: 'a', content: 'short' },
      { user: 'b', content: long },
    ]
    await expect(sendToUsers(ctx, sent)).rejects.toMatchObject({
      message: expect.stringMatching(/^Element 1: The notification is too large/),
      details: { index: 1 },
    })
    expect(await countRows(ctx, 'messages')).toBe(0)
  })
})

describe('a long message', () => {
  it.each([
    ['whose notification has a text of its own', { content: long, notification: { title: 't', body: 'short' } }],
    ['with an alertText', { content: long, alertText: 'short' }],
    ['that is silent', { content: long, silent: true }],
    ['for the open app', { content: long, inApp: true }],
    ['for connected installations', { content: long, live: true }],
    ['with templates, which is measured when it is written', { content: `${long}{{ user.name }}` }],
  ])('%s is taken', async (_name, sent) => {
    const ctx = await createTestApp(store)
    await addInstallation(ctx, 'u')
    await expect(sendToUsers(ctx, { user: 'u', ...sent })).resolves.toMatchObject({ id: expect.any(String) })
  })

  it('is taken where the app has a text for notifications, and refused when it is the alert', async () => {
    const ctx = await createTestApp(store)
    await changeApp(ctx, { defaultNotificationText: 'You have a message' })
    await expect(sendToUsers(ctx, { user: 'u', content: long })).resolves.toMatchObject({ count: 0 })
    await expect(sendToUsers(ctx, { user: 'u', content: long, useAsAlert: true })).rejects.toMatchObject({
      code: 'payload-too-large',
    })
  })

  it('is refused when it is silent but goes by the providers only', async () => {
    const ctx = await createTestApp(store)
    const silent = { user: 'u', content: 'x', silent: true }
    await expect(notifyUsers(ctx, { ...silent, content: long })).resolves.toMatchObject({ count: 0 })
    await expect(notifyUsers(ctx, { ...silent, data: { long } })).rejects.toMatchObject({ code: 'payload-too-large' })
  })
})

describe('a message that providers are not given', () => {
  it.each([
    ['silent', { silent: true }],
    ['for the open app', { inApp: true }],
    ['live', { live: true }],
    ['written for each user', { notification: { title: '{{ userId }}' } }],
  ])('has so many bytes, too: %s', async (_name, more) => {
    const ctx = await createTestApp(store)
    const send = (bytes: number) =>
      sendToUsers(ctx, { user: 'u', content: 'x', data: { text: 'x'.repeat(bytes) }, ...more })
    await send(limits.messageBytes - 1_000)
    await expect(send(limits.messageBytes)).rejects.toMatchObject({ status: 413, code: 'too-large' })
    expect(await countRows(ctx, 'messages')).toBe(1)
  })
})
