import { expect, it } from 'vitest'
import { readMessage } from './read-message.ts'

const read = (sent: unknown) => readMessage(Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent)), 7)

it('reads what the app is given, and what it is drawn from', () => {
  const sent = { id: 'm1', content: 'Hello', data: { order: 42 }, silent: false, inApp: true }
  expect(read(sent)).toEqual({
    sent,
    message: { messageId: 'm1', content: 'Hello', data: { order: 42 }, silent: false, inApp: true, receivedAt: 7 },
  })
  expect(read({ id: 'm2', content: 5, data: [], silent: 'yes' })?.message).toEqual({
    ...{ messageId: 'm2', content: '', data: {}, silent: false, inApp: false, receivedAt: 7 },
  })
})

it.each(['', 'text', '7', 'null', '[]', '{', '{}', '{"id":7}', '\u0000'])('finds no message in %j', (text) => {
  expect(read(text)).toBeUndefined()
})
