import { describe, expect, it } from 'vitest'
import type { MessageContent } from '../compose/compose-message.ts'
import { compileConnection } from './compile-connection.ts'
import { connectionMessage } from './connection.ts'

const look = { name: 'My shop', notificationText: undefined, icon: 'https://shop.example/i.png' }
const messageOf = (content: MessageContent) => ({
  id: '01a1ddde-de3a-76de-be9b-ba9176a4e301',
  product: 'message' as const,
  trackId: 'spring',
  clientId: 'mine',
  acceptedAt: new Date(1_000),
  expiresAt: new Date(61_000),
  content,
})
const ali = {
  userId: 'ali',
  installationId: '0c6a2f0e-6f3e-4c56-9f0a-3d5f4f7f2f11',
  deviceType: 'android',
  attributes: { city: 'Te"hran' },
  promoCode: 'A1',
}

describe('a message for the own connection', () => {
  it('has what the client protocol names', () => {
    const content = {
      content: 'Hi',
      data: { a: 1 },
      notification: { title: 'T', body: 'B', clickUrl: 'https://a.example' },
    }
    expect(connectionMessage(messageOf(content), look)).toEqual({
      id: '01a1ddde-de3a-76de-be9b-ba9176a4e301',
      content: 'Hi',
      data: { a: 1 },
      createdAt: 1_000,
      trackId: 'spring',
      clientId: 'mine',
      publishId: '01a1ddde-de3a-76de-be9b-ba9176a4e301',
      silent: false,
      expireAt: 61_000,
      notification: { title: 'T', body: 'B', clickUrl: 'https://a.example', icon: 'https://shop.example/i.png' },
    })
  })

  it('says what only a browser can do', () => {
    const notification = { title: 'T', requireInteraction: true, renotify: true } as const
    expect(connectionMessage(messageOf({ content: 'Hi', notification }), look).notification).toMatchObject(notification)
  })

  it.each(['silent', 'inApp', 'autoNotify'] as const)('that is %s has nothing to draw', (flag) => {
    expect(connectionMessage(messageOf({ content: 'Hi', [flag]: true }), look)).not.toHaveProperty('notification')
  })

  it('is written once for all when it is the same for all', () => {
    const compiled = compileConnection(messageOf({ content: 'Hi' }), look)
    expect(compiled.isPersonal).toBe(false)
    const [one, two] = [compiled.render(), compiled.render(ali)]
    expect(one.kind === 'ready' && two.kind === 'ready' && one.body === two.body).toBe(true)
  })

  it('is written for each user, in the text and in the notification', () => {
    const compiled = compileConnection(messageOf({ content: 'Hi {{ user.city }} {{ promoCode }}' }), look)
    expect([compiled.isPersonal, compiled.attributes]).toEqual([true, new Set(['city'])])
    const rendered = compiled.render(ali)
    expect(rendered.kind === 'ready' && JSON.parse(rendered.body.toString())).toMatchObject({
      content: 'Hi Te"hran A1',
      notification: { body: 'Hi Te"hran A1' },
    })
  })

  it('is refused when a link became one that nobody may open', () => {
    const notification = { title: 'T', body: 'B', clickUrl: '{{ user.link }}' }
    const compiled = compileConnection(messageOf({ content: 'Hi', notification }), look)
    const recipient = { ...ali, attributes: { link: 'javascript:alert(1)' } }
    expect(compiled.render(recipient)).toMatchObject({ kind: 'refused', detail: expect.stringContaining('clickUrl') })
  })
})
