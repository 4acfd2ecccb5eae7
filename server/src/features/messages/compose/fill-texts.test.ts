import { expect, it } from 'vitest'
import { isTemplate } from '../rendering/template-engine.ts'
import { fillTexts } from './fill-texts.ts'

const recipient = {
  userId: 'sara',
  installationId: 'i',
  deviceType: 'ios',
  attributes: { firstName: 'Sara', trick: '{{ promoCode }}', link: 'javascript:1' },
  promoCode: 'XX-00',
}

it('writes every template for the recipient and leaves the rest alone', async () => {
  const content = {
    content: 'plain',
    data: { deep: ['{{ deviceType }}'] },
    notification: { title: 'Dear {{ user.firstName }}', actions: [{ title: '{{ promoCode }}', id: '{{ no }}' }] },
    fallback: { content: '{{ userId }}', delay: 1, media: 'sms', policy: 'NOT_RECEIVED' as const },
  }
  const before = structuredClone(content)
  const filled = await fillTexts(1, content, recipient)
  expect(filled.content).toEqual({
    content: 'plain',
    data: { deep: ['ios'] },
    notification: { title: 'Dear Sara', actions: [{ title: 'XX-00', id: '{{ no }}' }] },
    fallback: { ...content.fallback, content: 'sara' },
  })
  expect(filled.texts).toEqual([
    { field: 'notification.title', text: 'Dear Sara', needsPromoCode: false },
    { field: 'notification.actions[0].title', text: 'XX-00', needsPromoCode: true },
    { field: 'data.deep[0]', text: 'ios', needsPromoCode: false },
    { field: 'fallback.content', text: 'sara', needsPromoCode: false },
  ])
  expect(content).toEqual(before)
})

it('says what is wrong with each text, and keeps it', async () => {
  const { content, texts } = await fillTexts(
    1,
    { content: '{{ user.', notification: { title: 't', clickUrl: '{{ user.link }}' } },
    recipient,
  )
  expect(texts).toMatchObject([
    { field: 'content', fault: expect.any(String) },
    { field: 'notification.clickUrl', fault: '"notification.clickUrl" became a javascript: link' },
  ])
  expect(content.content).toBe('{{ user.')
})

it('never runs an attribute as a template', async () => {
  const { content } = await fillTexts(1, { content: '{{ user.trick }}' }, recipient)
  expect(isTemplate(content.content as string)).toBe(false)
  expect(content.content?.replaceAll('\u2060', '')).toBe('{{ promoCode }}')
})
