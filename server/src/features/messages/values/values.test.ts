import type { AnyNotification, TemplateMessage } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import { renderMessage } from '../../composer/render-message.ts'
import { previewSend } from '../../deliveries/dry-run/preview-send.ts'
import { getMessage } from '../../deliveries/read/get-message.ts'
import { sendTest } from '../../deliveries/send-test.ts'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import type { Accepted } from '../accept/draft-message.ts'
import { addInstallation, countRows } from '../installation-rows.test-support.ts'
import { changeScheduled } from '../schedule/change-scheduled.ts'
import { startScheduled } from '../schedule/start-scheduled.ts'
import { notifyToUsers } from '../send/notify-to-users.ts'
import { notifyUsers } from '../send/notify-users.ts'
import { sendByQuery } from '../send/send-by-query.ts'
import { sendToUsers } from '../send/send-to-users.ts'
import { changeSeries } from '../series/change-series.ts'
import { getSeries } from '../series/get-series.ts'
import { createTemplate } from '../templates/create-template.ts'
import { getTemplate } from '../templates/get-template.ts'
import { listTemplates } from '../templates/list-templates.ts'
import { replaceTemplate } from '../templates/replace-template.ts'

const store = await createTestStore()
const hour = 3_600_000

const shipped: TemplateMessage = {
  content: 'Hi {{ user.firstName }}, order {{ values.orderId }} comes {{ values.day | default: "soon" }}',
  notification: { title: 'Order {{ values.orderId }}', clickUrl: 'https://shop.example/{{ values.orderId }}' },
  data: { items: ['{{ values.count | plus: 1 }}'] },
  fallback: { content: 'Order {{ values.orderId }} is on its way' },
  contents: { fa: { notification: { title: 'سفارش {{ values.orderId }}' } } },
}
const values = { orderId: 'A-1024', count: 2 }

async function setUp() {
  const ctx = await createTestApp(store)
  const { id: device } = await addInstallation(ctx, 'sara')
  await setAttributes(ctx, { userId: 'sara', attributes: { firstName: 'Sara' } })
  await createTemplate(ctx, { id: 'shipped', name: 'Shipped', message: shipped })
  const send = async (body: AnyNotification) =>
    (await sendToUsers(ctx, { user: 'sara', ...body } as never)) as Accepted & { seriesId: string }
  const read = async (body: AnyNotification) => getMessage(ctx, await send(body))
  return { ctx, device, send, read }
}

const written = {
  content: 'Hi {{ user.firstName }}, order A-1024 comes soon',
  notification: { title: 'Order A-1024', clickUrl: 'https://shop.example/A-1024' },
  data: { items: ['3'] },
  fallback: { content: 'Order A-1024 is on its way' },
  contents: { fa: { notification: { title: 'سفارش A-1024' } } },
}

describe('a send with values', () => {
  it('has them in every text of its template: in languages, links, data and the SMS', async () => {
    const { read } = await setUp()
    const message = await read({ templateId: 'shipped', values })
    expect(message).toMatchObject(written)
    expect(message).not.toHaveProperty('values')
  })

  it('has them in its own texts, and in those of its variants', async () => {
    const { ctx } = await setUp()
    const { id } = await sendByQuery(ctx, {
      target: {},
      content: '{{ values.off }} % off',
      notification: { title: 'Sale', text: '{{ values.off }} %' },
      variants: [
        { name: 'A', content: 'A: {{ values.off | times: 2 }}' },
        { name: 'B', contents: { fa: { content: '{% if values.isLast %}آخرین{% endif %}' } } },
      ],
      values: { off: 20, isLast: true },
    })
    expect(await getMessage(ctx, { id })).toMatchObject({
      content: '20 % off',
      notification: { body: '20 %' },
      variants: [
        { name: 'A', content: 'A: 40' },
        { name: 'B', contents: { fa: { content: 'آخرین' } } },
      ],
    })
  })

  it('is taken by every endpoint, and by elements of an array with values of their own', async () => {
    const { ctx } = await setUp()
    const body = { user: 'sara', templateId: 'shipped', values }
    const sent = [await notifyUsers(ctx, body), await notifyToUsers(ctx, body)] as Accepted[]
    const array = await sendToUsers(ctx, [body, { ...body, values: { ...values, orderId: 'B-1' } }])
    const titles = []
    for (const { id } of [...sent, ...(array as Accepted[])])
      titles.push((await getMessage(ctx, { id })).notification?.title)
    expect(titles).toEqual(['Order A-1024', 'Order A-1024', 'Order A-1024', 'Order B-1'])
  })

  it('takes a value for what it is, whatever it looks like', async () => {
    const { ctx, device, read, send } = await setUp()
    const trick = '{{ user.firstName }}{% if true %}x{% endif %}'
    const message = await read({ content: '{{ values.trick }}', values: { trick } })
    const person = { userId: 'sara', language: 'default' }
    const { texts } = await renderMessage(ctx, { product: 'message', content: message.content as string, for: person })
    expect(texts).toEqual([{ field: 'content', text: trick }])
    await expect(
      send({
        content: 'x',
        notification: { title: 'x', clickUrl: '{{ values.link }}' },
        values: { link: 'javascript:x' },
      }),
    ).rejects.toMatchObject({ details: { field: 'notification.clickUrl' } })
    const test = {
      product: 'message' as const,
      content: '{{ values.trick }}',
      values: { trick },
      installationIds: [device],
    }
    const [sent] = (await sendTest(ctx as never, test)).sent
    expect((await getMessage(ctx, { id: sent?.id as string })).content?.replaceAll('\u2060', '')).toBe(trick)
  })

  it('is refused when a value is missing that has no fallback, and says which', async () => {
    const { ctx, send } = await setUp()
    const lacks = (body: AnyNotification) => expect(send(body)).rejects
    await lacks({ templateId: 'shipped' }).toMatchObject({
      code: 'invalid-request',
      message: '"values.orderId" is missing: "content" asks for it and has no fallback.',
      details: { field: 'values.orderId' },
    })
    await lacks({ templateId: 'shipped', values: { orderId: null, count: 1 } }).toThrow('"values.orderId" is missing')
    await lacks({ templateId: 'shipped', values: { ...values, orderId: undefined, orderID: 'x' } as never }).toThrow(
      'Perhaps "values.orderID" is meant.',
    )
    await lacks({ content: '{{ values.a }}' }).toMatchObject({ details: { field: 'values.a' } })
    await lacks({ content: 'x', contents: { fa: { content: '{{ values.a }}' } }, values: {} }).toThrow(
      '"contents.fa.content" asks for it',
    )
    await lacks({ content: '{{ values }}', values }).toMatchObject({ details: { field: 'content' } })
    await expect(
      sendToUsers(ctx, [
        { user: 'sara', content: 'x' },
        { user: 'sara', templateId: 'shipped' },
      ]),
    ).rejects.toMatchObject({ message: expect.stringMatching(/^Element 1: "values.orderId"/), details: { index: 1 } })
    expect(await countRows(ctx, 'messages')).toBe(0)
    expect(await send({ content: '{{ values.a | default: "b" }}' })).toMatchObject({ count: 1 })
  })

  it('has so many, with names that a text can ask for', async () => {
    const { send } = await setUp()
    const many = Object.fromEntries(Array.from({ length: limits.valuesPerMessage + 1 }, (_, n) => [`v${n}`, n]))
    const content = 'x'
    await expect(send({ content, values: many })).rejects.toMatchObject({ code: 'too-large' })
    await expect(send({ content, values: { a: 'x'.repeat(limits.valuesBytes) } })).rejects.toMatchObject({
      code: 'too-large',
      details: { field: 'values' },
    })
    for (const name of ['', '1a', 'a b', 'a.b', '__proto__x', 'x'.repeat(65)]) {
      await expect(send({ content, values: { [name]: 1 } })).rejects.toMatchObject({ code: 'invalid-request' })
    }
    const large = { content: '{{ values.a }}'.repeat(1_000), values: { a: 'x'.repeat(8_000) } }
    await expect(send(large)).rejects.toMatchObject({ code: 'too-large' })
  })

  it('is looked at by a dry run, which names values that no text asks for', async () => {
    const { ctx } = await setUp()
    const preview = await previewSend(ctx, {
      sent: { user: 'sara', templateId: 'shipped', values: { ...values, price: 5 } },
      product: 'message',
      to: 'users',
    })
    expect(preview.faultCodes).toContainEqual({ code: 'unused-value', variable: 'values.price' })
    expect(preview.faults).toContain('No text asks for {{ values.price }}.')
    expect(preview.faultCodes.map(({ code }) => code)).not.toContain('unknown-variable')
  })

  it('is shown as somebody would read it, finished or not', async () => {
    const { ctx } = await setUp()
    const show = async (given?: AnyNotification['values']) => {
      const message = { product: 'message', ...shipped, ...(given && { values: given }) } as const
      const { texts } = await renderMessage(ctx, { ...message, for: { userId: 'sara', language: 'fa' } })
      return Object.fromEntries(texts.map(({ field, text }) => [field, text]))
    }
    expect(await show(values)).toMatchObject({
      content: 'Hi Sara, order A-1024 comes soon',
      'notification.title': 'سفارش A-1024',
      'fallback.content': 'Order A-1024 is on its way',
    })
    expect(await show()).toMatchObject({ content: 'Hi Sara, order  comes soon' })
  })
})

describe('what goes later', () => {
  it('keeps text and values of its acceptance', async () => {
    const { ctx, send } = await setUp()
    const sendAt = Date.now() + hour
    const { id } = await send({ templateId: 'shipped', values, sendAt })
    await replaceTemplate(ctx, { id: 'shipped', message: { content: 'Other {{ values.other }}' } })
    expect(await getMessage(ctx, { id })).toMatchObject({ state: 'scheduled', ...written })
    await expect(changeScheduled(ctx, { id, change: { values: { orderId: 'B-1' } } })).rejects.toMatchObject({
      details: { field: 'values.orderId' },
    })
    const change = { notification: { title: '{{ values.title }}' }, values: { title: 'New' } }
    expect(await changeScheduled(ctx, { id, change })).toMatchObject({ ...written, notification: { title: 'New' } })
    await store.query(
      sql`update scheduled_messages set due_at = peyk_now(), available_at = peyk_now() where app_id = ${ctx.app.id}`,
    )
    while (await startScheduled(ctx));
    expect(await getMessage(ctx, { id })).toMatchObject({ content: written.content, notification: { title: 'New' } })
  })

  it('does so each time', async () => {
    const { ctx, send } = await setUp()
    const sendAt = Date.now() + hour
    const { seriesId } = await send({ templateId: 'shipped', values, sendAt, repeat: { rule: 'FREQ=DAILY' } })
    expect((await getSeries(ctx, { id: seriesId })).message).toMatchObject(written)
    const change = { templateId: 'shipped', values: { orderId: 'B-1', count: 0 } }
    const { message } = await changeSeries(ctx, { id: seriesId, change })
    expect(message).toMatchObject({ notification: { title: 'Order B-1' }, data: { items: ['1'] } })
  })
})

describe('a template', () => {
  it('says which values it asks for', async () => {
    const { ctx } = await setUp()
    const wanted = [
      { name: 'orderId', required: true },
      { name: 'day', required: false, fallback: 'soon' },
      { name: 'count', required: true },
    ]
    expect((await getTemplate(ctx, { id: 'shipped' })).values).toEqual(wanted)
    expect((await listTemplates(ctx, {})).data[0]?.values).toEqual(wanted)
    const message = { content: 'None' }
    expect(await replaceTemplate(ctx, { id: 'shipped', message })).not.toHaveProperty('values')
  })

  it('names each of them', async () => {
    const { ctx } = await setUp()
    await expect(
      createTemplate(ctx, { name: 'x', message: { content: '{{ values[user.a] }}' } }),
    ).rejects.toMatchObject({ details: { field: 'message.content' } })
  })
})
