import type { AnyNotification, DryRun } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { describe, expect, it } from 'vitest'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { addCredentials, addDevice, tokens } from './preview.test-support.ts'
import { previewSend } from './preview-send.ts'

const store = await createTestStore()

const sale = {
  content: 'Hello',
  notification: { title: 'Sale' },
  contents: { fa: { notification: { title: 'حراج' } }, de: { notification: { title: 'Ausverkauf' } } },
}

async function createApp() {
  const ctx = await createTestApp(store)
  await addCredentials(ctx, 'fcm')
  await addCredentials(ctx, 'webpush')
  for (const [index, language] of ['fa', 'fa-IR', 'fa_AF', 'en', 'tr'].entries())
    await addDevice(ctx, 'sara', { token: tokens.fcm(`${index}`), language })
  await addDevice(ctx, 'omid', { token: tokens.webpush('w'), deviceType: 'web', language: 'de' })
  await addDevice(ctx, 'omid')
  return ctx
}

describe('the dry run of a message in several languages', () => {
  it('counts installations by language, and shows a sample of each', async () => {
    const ctx = await createApp()
    const byQuery = await previewSend(ctx, { sent: { target: {}, ...sale }, product: 'message', to: 'group' })
    expect(byQuery).toMatchObject({ count: 7, languages: { fa: 3, de: 1, default: 3 } })
    const toUsers = await previewSend(ctx, {
      sent: { users: ['sara', 'omid'], ...sale },
      product: 'message',
      to: 'users',
    })
    for (const { samples } of [byQuery, toUsers]) {
      const shown = samples.map(({ provider, language, payload }) => {
        const text = JSON.stringify(payload)
        return [provider, language, ['حراج', 'Ausverkauf', 'Sale'].find((title) => text.includes(title))]
      })
      expect(shown.toSorted()).toEqual([
        ['fcm', 'default', 'Sale'],
        ['fcm', 'fa', 'حراج'],
        ['webpush', 'de', 'Ausverkauf'],
      ])
    }
  })

  it('is that of each message of a list, some of which have none', async () => {
    const ctx = await createApp()
    const sent: AnyNotification[] = [
      { user: 'sara', ...sale },
      { user: 'sara', content: 'Hello' },
      { user: '*', content: 'Hello' },
      { user: '*', ...sale },
      { user: '*', ...sale, contents: { en: { content: 'Hi' } } },
    ]
    const previews = (await previewSend(ctx, { sent, product: 'message', to: 'users' })) as DryRun[]
    expect(previews.map(({ count, languages }) => [count, languages])).toEqual([
      [5, { fa: 3, de: 0, default: 2 }],
      [5, undefined],
      [7, undefined],
      [7, { fa: 3, de: 1, default: 3 }],
      [7, { en: 1, default: 6 }],
    ])
    expect(previews[1]?.samples).toHaveLength(2)
  })

  it('says in which language a sample is refused, and on how many devices a text of theirs has a gap', async () => {
    const ctx = await createApp()
    await setAttributes(ctx, { userId: 'omid', attributes: { firstName: 'Omid' } })
    const contents = { fa: { content: `{{ user.firstName }}${'x'.repeat(5_000)}` } }
    const { faults, faultCodes } = await previewSend(ctx, {
      sent: { target: {}, content: 'Hi', contents },
      product: 'message',
      to: 'group',
    })
    expect(faults).toContainEqual(
      expect.stringMatching(/^A sample in fa for fcm on android would be refused: it has 5/),
    )
    expect(faultCodes).toContainEqual(expect.objectContaining({ code: 'too-large', language: 'fa', provider: 'fcm' }))
    expect(faultCodes).toContainEqual({ code: 'no-fallback', variable: 'user.firstName', count: 3 })
  })
})
