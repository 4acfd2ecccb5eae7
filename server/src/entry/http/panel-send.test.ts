import { expect, it } from 'vitest'
import { createTestMember, panelCaller } from '../../../../test/helpers/panel-caller.ts'
import { createTestServer } from '../../../../test/helpers/test-server.ts'
import { listAudit } from '../../features/accounts/list-audit.ts'
import { addInstallation, countRows } from '../../features/messages/installation-rows.test-support.ts'

const { baseUrl, ctx } = await createTestServer()
const support = await createTestMember(ctx, 'support')
const marketer = await createTestMember(ctx, 'marketer')
const at = `/apps/${ctx.app.label}`
const asSupport = panelCaller(baseUrl, support.key)
const asMarketer = panelCaller(baseUrl, marketer.key)
const { id: installationId } = await addInstallation(ctx, 'sara')

it('sends once for one key, however often it is asked, and notes who did it', async () => {
  const body = { product: 'message', target: {}, content: 'Hello', trackId: 'sale', confirmed: 1 }
  const before = await countRows(ctx, 'messages')
  const key = { 'idempotency-key': 'one-press-of-the-button' }
  const answers = await Promise.all([1, 2, 3].map(() => asMarketer('POST', `${at}/send`, body, key)))
  const again = await asMarketer('POST', `${at}/send`, body, key)
  expect(again).toMatchObject({ status: 200, body: { count: 1 } })
  for (const { status, body: answer } of answers) if (status === 200) expect(answer).toEqual(again.body)
  expect(await countRows(ctx, 'messages')).toBe(before + 1)
  const { data } = await listAudit(ctx, {})
  expect(data.filter(({ action }) => action === 'POST /send')).toMatchObject([
    { email: marketer.email, subject: again.body.id, details: { count: 1, trackId: 'sale' } },
  ])
})

it('lets support send to named users and to test devices, and to nobody else', async () => {
  const one = { product: 'message', user: 'sara', content: 'Hello', confirmed: 1 }
  expect(await asSupport('POST', `${at}/send`, one)).toMatchObject({ status: 200, body: { count: 1 } })
  const test = { product: 'notification', notification: { title: 'Try' }, installationIds: [installationId] }
  expect(await asSupport('POST', `${at}/send/test`, test)).toMatchObject({
    status: 200,
    body: { count: 1, sent: [{}] },
  })
  const { user: _, ...rest } = one
  const all = await asSupport('POST', `${at}/send`, { ...rest, target: {} })
  expect([all.status, all.body.error.code]).toEqual([403, 'wrong-role'])
})

it('names the field that is wrong', async () => {
  const wrong = { product: 'message', user: 'sara', content: 'Hello', confirmed: 1 }
  const faults = [
    [{ ...wrong, notification: { title: 't', actions: [{ url: 'javascript:1' }] } }, 'notification.actions[0].url'],
    [{ ...wrong, users: ['a b'], user: undefined }, 'users[0]'],
    [{ ...wrong, ttl: -1 }, 'ttl'],
    [{ ...wrong, content: '{{ user. }' }, 'content'],
  ] as const
  for (const [body, field] of faults) {
    for (const path of ['/send', '/send/plan']) {
      const answer = await asMarketer('POST', at + path, body)
      expect([answer.status, answer.body.error.details.field]).toEqual([400, field])
    }
  }
})
