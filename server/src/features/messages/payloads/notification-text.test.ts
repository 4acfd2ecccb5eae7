import { describe, expect, it } from 'vitest'
import type { MessageContent } from '../compose/compose-message.ts'
import { notificationText } from './notification-text.ts'

const look = { name: 'Shop', notificationText: 'You have a message', icon: undefined }
const plainLook = { ...look, notificationText: undefined }

describe('the text of a notification', () => {
  it.each<[string, MessageContent, string]>([
    [
      'its body first',
      { content: 'c', alertText: 'a', useAsAlert: true, notification: { title: 't', body: 'b' } },
      'b',
    ],
    ['also when it is empty', { content: 'c', notification: { title: 't', body: '' } }, ''],
    ['then alertText', { content: 'c', alertText: 'a', useAsAlert: true, notification: { title: 't' } }, 'a'],
    ['then the content when it is the alert', { content: 'c', useAsAlert: true }, 'c'],
    ['then the app’s own', { content: 'c' }, 'You have a message'],
  ])('is %s', (_name, content, body) => {
    expect(notificationText({ content }, look).body).toBe(body)
  })

  it('is the content where the app has none, and empty where there is no content', () => {
    expect(notificationText({ content: { content: 'c' } }, plainLook).body).toBe('c')
    expect(notificationText({ content: { notification: { title: 't' } } }, plainLook).body).toBe('')
  })

  it('stands under the notification’s title, else the app’s name', () => {
    expect(notificationText({ content: { content: 'c', notification: { title: '' } } }, look).title).toBe('')
    expect(notificationText({ content: { content: 'c' } }, look).title).toBe('Shop')
  })
})
