import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import type { OutwardContext } from '#base/context.ts'
import { createCalls } from './calls/create-calls.ts'
import { forgetOldCalls } from './calls/forget-old-calls.ts'
import { listWebhookAttempts } from './calls/list-webhook-attempts.ts'
import { testWebhook } from './calls/test-webhook.ts'
import { createWebhook } from './settings/create-webhook.ts'
import { deleteWebhook } from './settings/delete-webhook.ts'
import { enableWebhook } from './settings/enable-webhook.ts'
import { getWebhook } from './settings/get-webhook.ts'
import { listWebhooks } from './settings/list-webhooks.ts'
import { replaceWebhook } from './settings/replace-webhook.ts'
import { replaceWebhookSecret } from './settings/replace-webhook-secret.ts'
import { addWebhook, emitUsers, localExternal, startReceiver } from './webhooks.test-support.ts'

const store = await createTestStore()
let ctx: OutwardContext
beforeEach(async () => {
  ctx = await createTestApp(store, { external: localExternal })
})
const url = 'http://127.0.0.1:9/hook'

test('a webhook is made, read, changed and deleted; its secret is shown once and sealed', async () => {
  const { secret, ...webhook } = await createWebhook(ctx, { url, events: ['user.new', 'user.new', 'promo.low'] })
  expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/)
  expect(webhook).toMatchObject({ url, events: ['user.new', 'promo.low'], isEnabled: true, waiting: 0 })
  const { id } = webhook
  expect(await getWebhook(ctx, { id })).toEqual(webhook)
  expect(await listWebhooks(ctx)).toEqual([webhook])
  expect(JSON.stringify(await store.query(sql`select * from webhooks`))).not.toContain(secret)

  const changed = await replaceWebhook(ctx, { id, url: 'http://localhost:9/other', events: ['message.opened'] })
  expect(changed).toEqual({ ...webhook, url: 'http://localhost:9/other', events: ['message.opened'] })
  const fresh = await replaceWebhookSecret(ctx, { id })
  expect(fresh.secret).toMatch(/^whsec_/)
  expect(fresh.secret).not.toBe(secret)

  await testWebhook(ctx, { id })
  expect(await deleteWebhook(ctx, { id })).toEqual({ id, url: 'http://localhost:9/other' })
  expect(await listWebhooks(ctx)).toEqual([])
  expect(await store.query(sql`select from webhook_attempts where app_id = ${ctx.app.id}`)).toEqual([])
})

test.each([
  ['not a URL', 'no url'],
  ['no TLS', 'http://example.com/'],
  ['another scheme', 'ftp://example.com/'],
  ['a private address', 'https://10.0.0.1/'],
  ['the address of the cloud', 'https://169.254.169.254/latest'],
  ['a loopback address in disguise', 'https://[::ffff:127.0.0.1]/'],
  ['a private address written as a number', 'https://167772161/'],
  ['a password', 'https://me:secret@example.com/'],
])('%s is refused as address', async (_, bad) => {
  await expect(createWebhook(ctx, { url: bad, events: ['user.new'] })).rejects.toMatchObject({
    code: 'invalid-request',
    details: { field: 'url' },
  })
  const { id } = await addWebhook(ctx, url)
  await expect(replaceWebhook(ctx, { id, url: bad, events: ['user.new'] })).rejects.toMatchObject({
    code: 'invalid-request',
  })
  expect(await getWebhook(ctx, { id })).toMatchObject({ url })
})

test.each([
  'http://localhost:3000/',
  'https://localhost/',
  'http://127.0.0.1/',
  'http://[::1]:3000/',
  'http://2130706433/',
])('in production %s is refused', async (local) => {
  const production = { ...ctx, external: { ...localExternal, webhooksMayBeLocal: false } }
  await expect(createWebhook(production, { url: local, events: ['user.new'] })).rejects.toMatchObject({
    code: 'invalid-request',
  })
  await expect(createWebhook(ctx, { url: local, events: ['user.new'] })).resolves.toMatchObject({ url: local })
})

test('an app has at most fifty', async () => {
  for (let count = 0; count < 50; count++) await addWebhook(ctx, url)
  await expect(addWebhook(ctx, url)).rejects.toMatchObject({ code: 'invalid-request' })
})

test('another app and a made-up id find nothing', async () => {
  const { id } = await addWebhook(ctx, url)
  const other = await createTestApp(store, { external: localExternal })
  for (const [caller, wanted] of [
    [other, id],
    [ctx, '019a8c7e-2f60-7c44-9a55-0c8e3a1f7b21'],
    [ctx, 'no id'],
  ] as const) {
    for (const verb of [
      getWebhook,
      deleteWebhook,
      enableWebhook,
      replaceWebhookSecret,
      testWebhook,
      listWebhookAttempts,
    ]) {
      await expect(verb(caller, { id: wanted })).rejects.toMatchObject({ code: 'not-found' })
    }
    await expect(replaceWebhook(caller, { id: wanted, url, events: ['user.new'] })).rejects.toMatchObject({
      code: 'not-found',
    })
  }
  expect(await listWebhooks(other)).toEqual([])
})

test('a test calls once, says what came, and is in the log', async () => {
  const receiver = await startReceiver((_, response) => response.writeHead(418).end())
  const { id } = await addWebhook(ctx, receiver.url)
  expect(await testWebhook(ctx, { id })).toMatchObject({ isSuccess: false, status: 418, detail: 'answered 418' })
  expect(receiver.received).toMatchObject([{ body: { type: 'ping', app: ctx.app.label, data: { webhookId: id } } }])
  expect((await listWebhookAttempts(ctx, { id })).data).toMatchObject([{ type: 'ping', status: 418 }])
})

test('the log is paged, newest first', async () => {
  const { id } = await addWebhook(ctx, url)
  for (let count = 0; count < 5; count++) await testWebhook(ctx, { id })
  const all = (await listWebhookAttempts(ctx, { id })).data
  expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => b - a))
  const pages = []
  let cursor: string | undefined
  do {
    const page = await listWebhookAttempts(ctx, { id, limit: 2, ...(cursor && { cursor }) })
    pages.push(page.data)
    cursor = page.cursor
  } while (cursor)
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1])
  expect(pages.flat()).toEqual(all)
  await expect(listWebhookAttempts(ctx, { id, cursor: 'x' })).rejects.toMatchObject({ code: 'invalid-request' })
})

test('calls and their log are forgotten after a week', async () => {
  const { id } = await addWebhook(ctx, url)
  await emitUsers(ctx, 3)
  await createCalls(store)
  await testWebhook(ctx, { id })
  await testWebhook(ctx, { id })
  await store.query(sql`
    update webhook_calls set created_at = now() - interval '8 days'
    where webhook_id = ${id} and call_no = (select min(call_no) from webhook_calls where webhook_id = ${id})`)
  await store.query(sql`
    update webhook_attempts set attempted_at = now() - interval '8 days'
    where webhook_id = ${id} and attempted_at = (select min(attempted_at) from webhook_attempts where webhook_id = ${id})`)
  await forgetOldCalls({ store })
  expect(await getWebhook(ctx, { id })).toMatchObject({ waiting: 2 })
  expect((await listWebhookAttempts(ctx, { id })).data).toHaveLength(1)
})
