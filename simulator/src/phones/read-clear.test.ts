import { expect, it } from 'vitest'
import { clearMessage, showOnce } from './phone-screen.ts'
import { newPhoneState } from './phone-state.ts'
import { readClear } from './read-clear.ts'

it.each([
  ['FCM', { token: 't', data: { clear: 'm1' }, android: { ttl: '60s' } }],
  ['APNs', { aps: { 'content-available': 1 }, clear: 'm1' }],
  ['web push and the own connection', { clear: 'm1' }],
])('a recall is read from what %s brings', (_, content) => {
  expect(readClear(content)).toBe('m1')
})

it.each([[undefined], ['m1'], [{}], [{ clear: true }], [{ data: { messageId: 'm1' } }]])('is none in %o', (content) => {
  expect(readClear(content)).toBeUndefined()
})

it('a recalled message is nowhere to be seen, also when it comes later than its recall', () => {
  const state = newPhoneState({ platform: 'android', userId: 'sara' })
  const drawn = (messageId: string) => ({ messageId, notification: { title: 'Hello', body: '', actions: [] } })
  showOnce(state, drawn('m1'), 'fcm')
  showOnce(state, drawn('m2'), 'fcm')
  clearMessage(state, 'm1')
  clearMessage(state, 'm3')
  expect(showOnce(state, drawn('m3'), 'connection')).toBeUndefined()
  expect(state.notifications.map(({ messageId }) => messageId)).toEqual(['m2'])
})
