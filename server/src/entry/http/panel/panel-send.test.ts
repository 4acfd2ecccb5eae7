import { createTestMember, panelCaller } from '@peyk/test/panel-caller.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { listAudit } from '#features/accounts/audit/list-audit.ts'
import { addInstallation, countRows } from '#features/messages/installation-rows.test-support.ts'

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
  const ofSale = data.filter(({ details }) => (details as { trackId?: string } | undefined)?.trackId === 'sale')
  expect(ofSale).toMatchObject([
    { action: 'POST /send', email: marketer.email, subject: again.body.id, details: { count: 1, trackId: 'sale' } },
  ])
})

it('notes when a send starts, and that a series is one', async () => {
  const body = { product: 'message', target: {}, content: 'Hello', confirmed: 1 }
  const sendAt = Date.now() + 3_600_000
  const local = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16)
  await asMarketer('POST', `${at}/send`, { ...body, sendAt })
  await asMarketer('POST', `${at}/send`, { ...body, sendAt: { local } })
  const series = await asMarketer('POST', `${at}/send`, { ...body, sendAt, repeat: { rule: 'FREQ=WEEKLY' } })
  const { data } = await listAudit(ctx, { limit: 3 })
  expect(data.map(({ details }) => details)).toEqual([
    { count: 1, sendAt, seriesId: series.body.seriesId },
    { count: 1, sendAt: local },
    { count: 1, sendAt },
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
  for (const [{ confirmed, ...message }, field] of faults) {
    for (const [path, more] of [
      ['/send', { confirmed }],
      ['/send/plan', {}],
    ] as const) {
      const answer = await asMarketer('POST', at + path, { ...message, ...more })
      expect([answer.status, answer.body.error.details.field]).toEqual([400, field])
    }
  }
})

it.runIf(isThorough)(
  'lets others of the app pass while the texts of test sends with keys are being written, and stores nothing of them',
  async () => {
    const before = await countRows(ctx, 'messages')
    const sends = ['a', 'b', 'c'].map((name) => {
      const content = `{{ (9007199254740992..9007199254740994) | first }} for test ${name}`
      const body = { product: 'message', content, installationIds: [installationId] }
      return () => asSupport('POST', `${at}/send/test`, body, { 'idempotency-key': `slow-${name}` })
    })
    let isOneOver = false
    const first = Promise.all(
      sends.map((send) =>
        send().finally(() => {
          isOneOver = true
        }),
      ),
    )
    let answeredMeanwhile = 0
    while (!isOneOver) {
      await asSupport('GET', `${at}/app`)
      if (!isOneOver) answeredMeanwhile++
    }
    const refused = { status: 400, body: { error: { code: 'invalid-template' } } }
    for (const answer of await first) expect(answer).toMatchObject(refused)
    expect(answeredMeanwhile).toBeGreaterThan(10)
    // A request that failed leaves its key free.
    expect(await ctx.store.query(sql`select key from idempotency_claims where app_id = ${ctx.app.id}`)).toEqual([])
    expect(await countRows(ctx, 'messages')).toBe(before)
  },
)

it('makes one test send for one key, also when its text is written apart', async () => {
  const content = '{% assign name = userId | default: "you" %}For {{ name }}'
  const body = { product: 'message', content, installationIds: [installationId] }
  const key = { 'idempotency-key': 'one-test' }
  const before = await countRows(ctx, 'messages')
  const answers = await Promise.all([1, 2, 3].map(() => asSupport('POST', `${at}/send/test`, body, key)))
  const again = await asSupport('POST', `${at}/send/test`, body, key)
  expect(again).toMatchObject({ status: 200, body: { count: 1, sent: [{ installationId }] } })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  for (const { status, body: answer } of answers) {
    if (status === 200) expect(answer).toEqual(again.body)
    else expect(answer.error.code).toBe('still-running')
  }
  expect(await countRows(ctx, 'messages')).toBe(before + 1)
})
