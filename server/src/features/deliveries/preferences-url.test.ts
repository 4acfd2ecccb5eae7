import { silentLog } from '@peyk/test/database/test-store.ts'
import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { until } from '@peyk/test/runner/until.ts'
import { afterEach, describe, expect, it } from 'vitest'
import type { OutwardContext } from '#base/context.ts'
import { openPreferenceLink } from '../categories/preferences/preference-link.ts'
import { renderMessage } from '../composer/render-message.ts'
import { PendingTexts } from '../messages/rendering/pending-texts.ts'
import { sendToUsers } from '../messages/send/send-to-users.ts'
import type { Dispatcher } from './dispatch/dispatcher.ts'
import { previewSend } from './dry-run/preview-send.ts'
import { readInbox } from './inbox/read-inbox.ts'
import { getMessage } from './read/get-message.ts'

const { providers, external, createApp, startDispatcher } = await createDelivery()
const content = 'Not interested? {{ preferencesUrl }}'
let dispatcher: Dispatcher | undefined

afterEach(async () => {
  await dispatcher?.stop()
  external.publicUrl = undefined
})

async function setUp(publicUrl: string | undefined) {
  external.publicUrl = publicUrl
  const ctx = await createApp()
  const devices = await addDevices(ctx, providers, 'fcm', 2)
  return { ctx, devices, users: devices.map(({ userId }) => userId) }
}

/** Whose link a text has. */
function ownerOf(ctx: OutwardContext, text: string): string | undefined {
  const [, token = ''] = /https:\/\/push\.example\/preferences\/([\w-]+)/.exec(text) ?? []
  const opened = openPreferenceLink(external, token)
  expect(opened?.appId).toBe(ctx.app.id)
  return opened?.userId
}

describe('{{ preferencesUrl }}', () => {
  it('is the link of each user, in a push and in the inbox', async () => {
    const { ctx, devices, users } = await setUp('https://push.example')
    dispatcher = startDispatcher()
    const { id } = (await sendToUsers(ctx, { users, content })) as { id: string }
    await until(
      () => getMessage(ctx, { id }),
      ({ states }) => states.sent === 2,
    )
    const pushes = providers.record.list({ messageId: id }).map(({ payload }) => JSON.stringify(payload))
    expect(pushes.map((push) => ownerOf(ctx, push)).sort()).toEqual([...users].sort())
    const asks = devices.map(({ installationNo, userId }) => ({
      ...{ appId: ctx.app.id, installationNo, userId, without: [], clearing: [], limit: 10, isOpen: true },
      connectedAt: new Date(Date.now() - 60_000),
    }))
    const texts = { texts: new PendingTexts(silentLog), onReady: () => undefined }
    const { messages } = await readInbox(ctx, asks, texts)
    expect(messages.map(({ body, userId }) => ownerOf(ctx, String(body)) === userId)).toEqual([true, true])
  })

  it('is in a preview, and known to a dry run', async () => {
    const { ctx, users } = await setUp('https://push.example')
    const userId = users[0] as string
    const { texts } = await renderMessage(ctx, { product: 'message', content, for: { userId } })
    expect(ownerOf(ctx, texts[0]?.text as string)).toBe(userId)
    const { faultCodes } = await previewSend(ctx, { sent: { user: userId, content }, product: 'message', to: 'users' })
    expect(faultCodes).toEqual([])
  })

  it('is empty where the service does not know its address, and a dry run says so', async () => {
    const { ctx, users } = await setUp(undefined)
    const sent = { user: users[0] as string, content }
    const { faultCodes } = await previewSend(ctx, { sent, product: 'message', to: 'users' })
    expect(JSON.stringify(faultCodes)).toContain('preferencesUrl')
  })
})
