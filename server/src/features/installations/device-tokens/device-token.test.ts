import { describe, expect, it } from 'vitest'
import { hashDeviceToken, readDeviceToken } from './device-token.ts'

describe('a device token', () => {
  it.each(['disabled', 'NOT_EXIST', '', ' '])('is none when it is the word "%s"', (word) => {
    expect(readDeviceToken(word)).toBeNull()
  })

  it('is not spoken of when it is absent', () => {
    expect(readDeviceToken(undefined)).toBeUndefined()
  })

  it('may be a web push subscription that was not made a text', () => {
    expect(readDeviceToken({ endpoint: 'https://push.example/1' })).toBe('{"endpoint":"https://push.example/1"}')
  })

  it.each([
    [
      '{"endpoint":"https://e/1","keys":{"auth":"a"}}',
      '{"keys":{"auth":"a"},"expirationTime":null,"endpoint":"https://e/1"}',
    ],
    ['AB'.repeat(32), 'ab'.repeat(32)],
  ])('%s is the same as %s', (left, right) => {
    expect(hashDeviceToken(left)).toEqual(hashDeviceToken(right))
  })

  it.each([
    ['abc:Def', 'abc:def'],
    ['{"endpoint":"https://e/1"}', '{"endpoint":"https://e/2"}'],
    ['{"endpoint"', '{"endpoint":'],
  ])('%s is another than %s', (left, right) => {
    expect(hashDeviceToken(left)).not.toEqual(hashDeviceToken(right))
  })
})
