import type { TemplateMessage } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import type { RequestError } from '#base/errors.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { createCategory } from '../../categories/create-category.ts'
import { deleteCategory } from '../../categories/delete-category.ts'
import { previewSend } from '../../deliveries/dry-run/preview-send.ts'
import { getMessage } from '../../deliveries/read/get-message.ts'
import type { Accepted } from '../accept/draft-message.ts'
import { addInstallation } from '../installation-rows.test-support.ts'
import { notifyToUsers } from '../send/notify-to-users.ts'
import { notifyUsers } from '../send/notify-users.ts'
import { sendByQuery } from '../send/send-by-query.ts'
import { sendToUsers } from '../send/send-to-users.ts'
import { createTemplate } from './create-template.ts'
import { deleteTemplate } from './delete-template.ts'
import { getTemplate } from './get-template.ts'
import { listTemplates } from './list-templates.ts'
import { replaceTemplate } from './replace-template.ts'
import { candidateIds, suggestTemplateId } from './template-id.ts'

const store = await createTestStore()
const start = Date.parse('2026-11-15T10:00:00Z')
const hello: TemplateMessage = { content: 'Hello {{ user.firstName }}', notification: { title: 'Hi' } }

async function setUp() {
  let minutes = 0
  const app = await createTestApp(store, { at: () => new Date(start + minutes * 60_000) })
  const ctx = { ...app, token: { id: 'x', name: 'back end' } }
  const save = (name: string, message = hello, id?: string) => {
    minutes++
    return createTemplate(ctx, { name, message, ...(id !== undefined && { id }) })
  }
  return { ctx, save }
}

async function waitingForRows(): Promise<number> {
  const rows = await store.query(sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%update message_templates%'`)
  return rows.length
}

describe('a template', () => {
  it('that is deleted while it is being changed is gone', async () => {
    const { ctx, save } = await setUp()
    const { id } = await save('Order sent')
    const changed = await ctx.store.transaction(async (tx) => {
      await tx.query(sql`delete from message_templates where app_id = ${ctx.app.id}`)
      const changing = replaceTemplate(ctx, { id, name: 'Order on its way' }).catch((error: RequestError) => error)
      await poll(waitingForRows).toBeGreaterThan(0)
      return { changing }
    })
    expect(await changed.changing).toMatchObject({ code: 'not-found' })
  })

  it('has an id made from its name, or the one that was given', async () => {
    const { ctx, save } = await setUp()
    const at = start + 60_000
    const saved = { id: 'order-sent', name: 'Order sent!', message: hello, createdAt: at, updatedAt: at }
    expect(await save(' Order sent! ')).toEqual(saved)
    expect(await getTemplate(ctx, { id: 'order-sent' })).toEqual(saved)
    expect(await save('Order: sent', hello)).toMatchObject({ id: 'order-sent-2' })
    expect(await save('خوش آمدید')).toMatchObject({ id: 'template', name: 'خوش آمدید' })
    expect(await save('Welcome', hello, 'welcome.v2')).toMatchObject({ id: 'welcome.v2' })
  })

  it('tells members, and nobody else, who changed it last', async () => {
    const { ctx, save } = await setUp()
    await save('A')
    const asMember = { ...ctx, member: { id: 'x', email: 'sara@shop.example', role: 'admin' } }
    expect(await getTemplate(asMember, { id: 'a' })).toMatchObject({ updatedBy: 'back end' })
    await replaceTemplate(asMember, { id: 'a', name: 'B' })
    expect((await listTemplates(asMember, {})).data).toMatchObject([{ updatedBy: 'sara@shop.example' }])
    expect(await getTemplate(ctx, { id: 'a' })).not.toHaveProperty('updatedBy')
  })

  it('has a name and an id that no other of the app has', async () => {
    const { ctx, save } = await setUp()
    const other = await setUp()
    await save('A')
    await other.save('A')
    const taken = { code: 'already-exists', details: { what: 'template', name: 'A', id: 'a' } }
    await expect(save('A', hello, 'b')).rejects.toMatchObject(taken)
    await expect(save('B', hello, 'a')).rejects.toMatchObject({ code: 'already-exists', details: { id: 'a' } })
    await save('B')
    await expect(replaceTemplate(ctx, { id: 'b', name: 'A' })).rejects.toMatchObject(taken)
    expect(await replaceTemplate(ctx, { id: 'b', name: 'B' })).toMatchObject({ name: 'B' })
    const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => save('C')))
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is changed in part, and keeps its id', async () => {
    const { ctx, save } = await setUp()
    await save('A')
    expect(await replaceTemplate(ctx, { id: 'a', name: 'Z' })).toMatchObject({ id: 'a', name: 'Z', message: hello })
    const message = { notification: { title: 'Only this' }, ttl: 60 }
    expect(await replaceTemplate(ctx, { id: 'a', message })).toMatchObject({ name: 'Z', message })
    expect((await getTemplate(ctx, { id: 'a' })).message).toEqual(message)
    await expect(replaceTemplate(ctx, { id: 'a' })).rejects.toThrow('Expected "name", "message" or both.')
  })

  it('is deleted, and then unknown', async () => {
    const { ctx, save } = await setUp()
    const other = await setUp()
    await save('A')
    await expect(deleteTemplate(other.ctx, { id: 'a' })).rejects.toMatchObject({ code: 'not-found' })
    expect(await deleteTemplate(ctx, { id: 'a' })).toEqual({ id: 'a', name: 'A' })
    for (const verb of [getTemplate, deleteTemplate])
      await expect(verb(ctx, { id: 'a' })).rejects.toThrow('There is no template with the id "a".')
    await expect(replaceTemplate(ctx, { id: 'a', name: 'B' })).rejects.toMatchObject({ code: 'not-found' })
  })

  it.each<[TemplateMessage, string, string, string?]>([
    [{}, 'invalid-request', '"message.content" is required.', 'message.content'],
    [{ content: '{{ user.name' }, 'invalid-template', '"message.content" is not a Liquid template', 'message.content'],
    [
      { notification: { title: 'x', clickUrl: 'javascript:alert(1)' } },
      'invalid-request',
      '"message.notification.clickUrl": expected an http, https or app link',
      'message.notification.clickUrl',
    ],
    [{ notification: { title: 'x', body: 'x'.repeat(5000) } }, 'payload-too-large', 'too large for'],
    [{ content: 'x', silent: true, data: { x: 'x'.repeat(70_000) } }, 'too-large', '65536 are allowed in a template'],
  ])('is checked as a send is', async (message, code, words, field) => {
    const { ctx, save } = await setUp()
    const attempt = save('A', message)
    await expect(attempt).rejects.toThrow(words)
    await expect(attempt).rejects.toMatchObject({ code, ...(field && { details: { field } }) })
    expect((await listTemplates(ctx, {})).data).toEqual([])
  })

  it('keeps what a send knows, and no audience', async () => {
    const { ctx, save } = await setUp()
    const sent = { content: 'x', user: 'sara', segment: {}, trackId: 't', silent: false, unknown: 1 }
    await save('A', sent as TemplateMessage)
    expect((await getTemplate(ctx, { id: 'a' })).message).toEqual({ content: 'x' })
  })

  it('is one of 500 at most', async () => {
    const { ctx, save } = await setUp()
    await store.query(sql`
      insert into message_templates (app_id, template_id, name, body, created_at, created_by, updated_at, updated_by)
      select ${ctx.app.id}, 'a' || n, n::text, '{}', peyk_now(), '', peyk_now(), ''
      from generate_series(1, ${limits.templatesPerApp}::int) n`)
    await expect(save('One more')).rejects.toMatchObject({ code: 'limit-reached' })
    await deleteTemplate(ctx, { id: 'a1' })
    await save('One more')
  })
})

describe('the list of templates', () => {
  it('has the newest first, page by page', async () => {
    const { ctx, save } = await setUp()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await save(name)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listTemplates(ctx, { limit: 2, ...(cursor && { cursor }) })
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.cursor
    } while (cursor)
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a'])
    await expect(listTemplates(ctx, { cursor: 'x' })).rejects.toMatchObject({ code: 'invalid-request' })
  })

  it('is searched by name and id', async () => {
    const { ctx, save } = await setUp()
    await save('Order sent')
    await save('خوش آمدید', hello, 'welcome')
    const find = async (search: string) => (await listTemplates(ctx, { search })).data.map(({ id }) => id)
    expect([await find('ORDER'), await find('آمد'), await find('Welc'), await find('%')]).toEqual([
      ['order-sent'],
      ['welcome'],
      ['welcome'],
      [],
    ])
  })
})

describe('a send with a template', () => {
  async function setUpSend() {
    const { ctx, save } = await setUp()
    await addInstallation(ctx, 'sara')
    await save('Hello', { ...hello, ttl: 120, data: { from: 'template' } })
    const readBodies = () =>
      store.query<{ body: Record<string, unknown>; expires_at: Date }>(
        sql`select body, expires_at from messages where app_id = ${ctx.app.id} order by id`,
      )
    return { ctx, save, readBodies }
  }

  it('says what the template says, and keeps saying it', async () => {
    const { ctx, readBodies } = await setUpSend()
    const accepted = (await sendToUsers(ctx, { user: 'sara', templateId: 'hello' })) as Accepted
    expect(accepted.count).toBe(1)
    await deleteTemplate(ctx, { id: 'hello' })
    const [{ body, expires_at } = { body: {}, expires_at: new Date(0) }] = await readBodies()
    expect(body).toEqual({ ...hello, data: { from: 'template' } })
    expect(Number(expires_at)).toBe(start + 60_000 + 120_000)
  })

  it('lets what is given beside it win', async () => {
    const { ctx, readBodies } = await setUpSend()
    await sendToUsers(ctx, { user: 'sara', templateId: 'hello', content: 'Own', data: { own: 1 } })
    expect((await readBodies()).map(({ body }) => body)).toEqual([{ ...hello, content: 'Own', data: { own: 1 } }])
  })

  it('has its category, unless it names one', async () => {
    const { ctx, save, readBodies } = await setUpSend()
    await expect(save('News', { content: 'x', category: 'anything' })).resolves.toMatchObject({
      message: { content: 'x' },
    })
    for (const id of ['news', 'orders']) await createCategory(ctx, { id, name: { en: id } })
    await expect(save('Tips', { content: 'x', category: 'tips' })).rejects.toMatchObject({
      message: '"message.category": expected one of "transactional", "news", "orders", got "tips".',
      details: { field: 'message.category' },
    })
    const rules = { category: 'news', quietHours: 'ignore' as const, whenCapped: 'wait' as const }
    expect((await save('Offer', { content: 'x', ...rules })).message).toEqual({ content: 'x', ...rules })
    await save('Notice', { content: 'x', category: 'transactional' })
    await changeApp(ctx, { groupCategory: 'orders' })
    await sendByQuery(ctx, { target: {}, templateId: 'offer' })
    await sendByQuery(ctx, { target: {}, templateId: 'offer', category: 'orders' })
    await sendByQuery(ctx, { target: {}, templateId: 'offer', category: 'transactional' })
    await sendByQuery(ctx, { target: {}, templateId: 'notice' })
    await sendByQuery(ctx, { target: {}, templateId: 'hello' })
    const stored = (await readBodies()).map(({ body }) => body.category)
    expect(stored).toEqual(['news', 'orders', undefined, undefined, 'orders'])
    expect((await readBodies())[0]?.body).toEqual({ content: 'x', ...rules })
    await deleteCategory(ctx, { id: 'news' })
    const sent = { user: 'sara', templateId: 'offer' }
    await expect(sendToUsers(ctx, sent)).rejects.toThrow('It is the category of the template "offer".')
    await expect(sendToUsers(ctx, [{ user: 'sara', content: 'x' }, sent])).rejects.toThrow('of the template "offer".')
    await expect(sendToUsers(ctx, { ...sent, category: 'news' })).rejects.not.toThrow('of the template')
  })

  it('works wherever a message is sent, and in a dry run', async () => {
    const { ctx, save, readBodies } = await setUpSend()
    await save('Quiet', { notification: { title: 'Only a notification' } })
    await sendByQuery(ctx, { target: {}, templateId: 'hello' })
    await notifyToUsers(ctx, { user: 'sara', templateId: 'quiet' })
    await notifyUsers(ctx, { target: {}, templateId: 'quiet' })
    await notifyUsers(ctx, [{ user: 'sara', templateId: 'quiet' }])
    await sendToUsers(ctx, [
      { user: 'sara', content: 'plain' },
      { user: 'sara', templateId: 'hello' },
    ])
    expect(await readBodies()).toHaveLength(6)
    const sent = { user: 'sara', templateId: 'hello' }
    expect((await previewSend(ctx, { sent, product: 'message', to: 'users' })).count).toBe(1)
    expect(await readBodies()).toHaveLength(6)
  })

  it('names a template that there is none of, and its place', async () => {
    const { ctx, readBodies } = await setUpSend()
    const other = await setUp()
    await expect(sendToUsers(other.ctx, { user: 'sara', templateId: 'hello' })).rejects.toMatchObject({
      code: 'invalid-request',
      message: '"templateId": there is no template with the id "hello".',
      details: { field: 'templateId' },
    })
    const list = [
      { user: 'sara', content: 'x' },
      { user: 'sara', templateId: 'no' },
    ]
    await expect(sendToUsers(ctx, list)).rejects.toMatchObject({
      message: 'Element 1: "templateId": there is no template with the id "no".',
      details: { field: 'templateId', index: 1 },
    })
    await expect(previewSend(ctx, { sent: list, product: 'message', to: 'users' })).rejects.toThrow('Element 1')
    expect(await readBodies()).toEqual([])
  })

  it('needs a text for a message when the template has none', async () => {
    const { ctx, save } = await setUpSend()
    await save('Quiet', { notification: { title: 'Only a notification' } })
    const send = sendToUsers(ctx, { user: 'sara', templateId: 'quiet' })
    await expect(send).rejects.toThrow('"content" is required.')
    await expect(sendToUsers(ctx, { user: 'sara' })).rejects.toThrow('"content" is required.')
    await expect(sendByQuery(ctx, { target: {} })).rejects.toThrow('"content" is required.')
  })

  it('becomes no larger by templates than a request may be', async () => {
    const { ctx, save } = await setUpSend()
    await save('Large', { content: 'x', silent: true, data: { x: 'x'.repeat(60_000) } })
    const sent = Array.from({ length: 300 }, () => ({ user: 'sara', templateId: 'large' }))
    await expect(sendToUsers(ctx, sent)).rejects.toMatchObject({ code: 'too-large' })
  })
})

it('suggests ids that can be read', () => {
  expect(['Order sent!', 'Café №1', '  ', 'سلام', 'x'.repeat(80)].map(suggestTemplateId)).toEqual([
    'order-sent',
    'cafe-no1',
    'template',
    'template',
    'x'.repeat(50),
  ])
  expect(candidateIds('a', 2)).toEqual(['a', 'a-2', 'a-3'])
})

describe('a template in several languages', () => {
  const sale: TemplateMessage = {
    content: 'Hello',
    notification: { title: 'Sale' },
    contents: { fa: { content: 'سلام', notification: { title: 'حراج' } }, de: { content: 'Hallo' } },
  }

  it('gives them to what is sent with it, which keeps them', async () => {
    const { ctx, save } = await setUp()
    await addInstallation(ctx, 'sara')
    const { id: templateId } = await save('Sale', sale)
    const { id } = (await sendToUsers(ctx, { user: 'sara', templateId })) as Accepted
    await replaceTemplate(ctx, { id: templateId, message: { content: 'Other' } })
    expect((await getMessage(ctx, { id })).contents).toEqual(sale.contents)
  })

  it('leaves out what the send says itself, for it says it to all', async () => {
    const { ctx, save } = await setUp()
    const { id: templateId } = await save('Sale', sale)
    const contentsOf = async (own: object) => {
      const { id } = (await sendToUsers(ctx, { user: 'sara', templateId, ...own })) as Accepted
      return (await getMessage(ctx, { id })).contents
    }
    expect(await contentsOf({ content: 'Hi' })).toEqual({ fa: { notification: { title: 'حراج' } } })
    expect(await contentsOf({ content: 'Hi', notification: { title: 'Other' } })).toBeUndefined()
    expect(await contentsOf({ ttl: 60 })).toEqual(sale.contents)
    const own = { fa: { content: 'درود' } }
    expect(await contentsOf({ contents: own })).toEqual(own)
  })

  it('is checked in all of them', async () => {
    const { save } = await setUp()
    const broken = { ...sale, contents: { fa: { notification: { body: '{{ user.' } } } }
    await expect(save('Broken', broken)).rejects.toMatchObject({
      message: expect.stringContaining('"message.contents.fa.notification.body" is not a Liquid template'),
      details: { field: 'message.contents.fa.notification.body' },
    })
    await expect(save('Unknown', { ...sale, contents: { xx: { content: 'x' } } })).rejects.toMatchObject({
      details: { field: 'message.contents.xx' },
    })
    const long = { ...sale, contents: { fa: { content: 'x'.repeat(5_000) } } }
    await expect(save('Long', long)).rejects.toMatchObject({
      message: expect.stringContaining('"message.contents.fa": The notification is too large'),
    })
  })
})
