import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { readBatches } from '../messages/installation-rows.test-support.ts'
import { countRows, createCampaign, replace } from '../promo/promo.test-support.ts'
import { addDevice, setUserAttribute, tokens } from './dry-run/preview.test-support.ts'
import { sendTest } from './send-test.ts'

const store = await createTestStore()

function readMessages(ctx: Context) {
  return ctx.store.query<{ id: string; body: Record<string, unknown>; track_id: string | null; client_id: string }>(
    sql`select id, body, track_id, client_id from messages where app_id = ${ctx.app.id} order by body->>'content'`,
  )
}

describe('a test send', () => {
  it('goes to the chosen devices only, written for their users, with a sample and no campaign or SMS', async () => {
    const ctx = await createTestApp(store)
    const [first] = [await addDevice(ctx, 'sara', { token: tokens.fcm('1') }), await addDevice(ctx, 'sara')]
    const other = await addDevice(ctx, 'omid')
    await setUserAttribute(ctx, 'sara', 'firstName', 'Sara')
    await createCampaign(ctx, 'spring')
    await replace(ctx, 'spring', 'SPRING-1\n')
    const { sent } = await sendTest(ctx, {
      product: 'message',
      target: {},
      channel: 'news',
      content: '{{ user.firstName | default: "friend" }}: {{ promoCode }}',
      trackId: 'spring',
      fallback: { content: 'sms' },
      installationIds: [first.id, other.id, first.id],
    })
    expect(sent).toEqual([
      { id: expect.any(String), installationId: first.id, userId: 'sara' },
      { id: expect.any(String), installationId: other.id, userId: 'omid' },
    ])
    const messages = await readMessages(ctx)
    expect(messages.map(({ body }) => body)).toEqual([{ content: 'Sara: XXXXXX-0' }, { content: 'friend: XXXXXX-0' }])
    expect(messages.every(({ track_id, client_id }) => track_id === null && client_id === 'panel-test')).toBe(true)
    const batches = await readBatches(ctx)
    expect(batches.map(({ installation_nos }) => installation_nos)).toEqual([
      [first.installationNo],
      [other.installationNo],
    ])
    expect(await countRows(ctx, 'promo_given')).toBe(0)
  })

  it('refuses devices of others, and a message that cannot be written or is too large', async () => {
    const [ctx, foreign] = [await createTestApp(store), await createTestApp(store)]
    const { id } = await addDevice(ctx, 'sara')
    await setUserAttribute(ctx, 'sara', 'text', 'x'.repeat(5_000))
    const alien = await addDevice(foreign, 'sara')
    const body = { product: 'message', content: 'x' } as const
    for (const installationIds of [[alien.id], [id, randomUUID()], ['no uuid']]) {
      await expect(sendTest(ctx, { ...body, installationIds })).rejects.toMatchObject({
        code: 'not-found',
        details: { field: 'installationIds' },
      })
    }
    await expect(sendTest(ctx, { ...body, content: '{{', installationIds: [id] })).rejects.toMatchObject({
      code: 'invalid-template',
    })
    await expect(sendTest(ctx, { ...body, content: '{{ user.text }}', installationIds: [id] })).rejects.toMatchObject({
      code: 'payload-too-large',
    })
    expect(await readMessages(ctx)).toEqual([])
  })

  it('goes to each device in its own language', async () => {
    const ctx = await createTestApp(store)
    const [persian, plain] = [await addDevice(ctx, 'sara', { language: 'fa-IR' }), await addDevice(ctx, 'omid')]
    await sendTest(ctx, {
      product: 'message',
      content: 'Hello',
      fallback: { content: 'sms' },
      contents: { fa: { content: 'سلام {{ userId }}', fallback: { content: 'پیامک' } } },
      installationIds: [persian.id, plain.id],
    })
    expect((await readMessages(ctx)).map(({ body }) => body)).toEqual([
      { content: 'Hello' },
      { content: 'سلام sara', notification: { title: 'Test app', dir: 'rtl' } },
    ])
  })
})
