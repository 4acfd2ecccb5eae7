import { describe, expect, it } from 'vitest'
import type { RequestError } from '#base/errors.ts'
import type { MessageContent } from '../compose/compose-message.ts'
import { checkTemplates } from './check-templates.ts'

function faultOf(content: MessageContent): RequestError | undefined {
  try {
    checkTemplates(content)
    return undefined
  } catch (error) {
    return error as RequestError
  }
}

describe('templates', () => {
  it.each([
    'Hello {{ user.firstName | default: "friend" }}',
    "{{ user['firstName'] }}",
    '{{ deviceType }}',
    'Your code: {{ promoCode }}',
    '{% if user.vip %}Dear{% else %}Hi{% endif %}',
    'no template } at { all }}',
  ])('"%s" is taken', (content) => {
    expect(faultOf({ content })).toBeUndefined()
  })

  it.each([
    '{{ user.name',
    '{% if user.vip %}Dear',
    '{% nosuchtag %}',
    '{{ name | nosuchfilter }}',
    '{{ }}',
    '{% include "secret" %}',
    '{% render "secret" %}',
    '{% layout "secret" %}',
    `{{ a${'['.repeat(15_000)} }}`,
    '{% if a %}'.repeat(1_500),
  ])('"%.30s" is refused', (content) => {
    expect(faultOf({ content })).toMatchObject({ code: 'invalid-template', details: { field: 'content' } })
  })

  const bad = '{{ x'
  it.each<[string, MessageContent]>([
    ['alertText', { alertText: bad }],
    ['notification.title', { notification: { title: bad } }],
    ['notification.body', { notification: { title: '', body: bad } }],
    ['notification.clickUrl', { notification: { title: '', clickUrl: bad } }],
    ['notification.actions[1].title', { notification: { title: '', actions: [{}, { title: bad }] } }],
    ['notification.actions[0].url', { notification: { title: '', actions: [{ url: bad }] } }],
    ['data.text', { data: { number: 1, text: bad } }],
    ['fallback.content', { fallback: { content: bad, delay: 1, media: 'sms', policy: 'NOT_RECEIVED' } }],
    ['data.list[1].deep', { data: { list: ['x', { deep: bad }] } }],
  ])('the fault names the field %s', (field, content) => {
    expect(faultOf(content)).toMatchObject({ code: 'invalid-template', details: { field } })
    expect(faultOf(content)?.message).toContain(`"${field}" is not a Liquid template`)
  })

  it('are not looked for in other texts', () => {
    const content = { notification: { title: '', icon: bad, sound: bad, category: bad, actions: [{ icon: bad }] } }
    expect(faultOf(content)).toBeUndefined()
  })

  it('have a size together, because parsing is slow; a long plain text has none', () => {
    expect(faultOf({ content: 'x'.repeat(500_000) })).toBeUndefined()
    expect(faultOf({ content: `{{ a }}${'x'.repeat(15_000)}`, alertText: '{{ b }}' })).toBeUndefined()
    expect(faultOf({ content: `{{ a }}${'x'.repeat(15_000)}`, alertText: '{{a}}'.repeat(2_000) })).toMatchObject({
      code: 'invalid-template',
      details: { field: 'alertText' },
    })
  })
})
