import { describe, expect, it } from 'vitest'
import type { Recipient } from '../../messages/payloads/compiled-push.ts'
import { readPhone } from './read-phone.ts'
import { readSmsText } from './sms-text.ts'

describe('the phone number', () => {
  it.each([
    ['sara', '+989121234567', '989121234567'],
    ['sara', '00989121234567', '989121234567'],
    ['sara', ' +98 (912) 123-45.67 ', '989121234567'],
    ['sara', 989121234567, '989121234567'],
    ['sara', '09121234567', '09121234567'],
    ['989121234567', undefined, '989121234567'],
    ['989121234567', '', '989121234567'],
    ['989121234567', '+4917612345678', '4917612345678'],
    ['12345678', undefined, '12345678'],
    ['1234567', undefined, undefined],
    ['1234567890123456', undefined, undefined],
    ['sara', undefined, undefined],
    ['989121234567', 'unknown', undefined],
    ['sara', '+98912x', undefined],
    ['sara', ['989121234567'], undefined],
    ['sara', true, undefined],
    ['sara', 1e21, undefined],
  ])('of %s with the attribute %j is %s', (userId, attribute, phone) => {
    expect(readPhone(userId, attribute)).toBe(phone)
  })
})

describe('the text', () => {
  const person = {
    userId: 'u',
    attributes: { firstName: 'Sara' },
    promoCode: 'A-1',
    installationId: '',
    deviceType: '',
  }
  const write = async (text: string) => {
    const recipient: Recipient = { ...person }
    const read = readSmsText(text)
    await read.renderSlowTexts(1, recipient)
    return read.write(recipient)
  }
  it.each([
    ['plain', false, { text: 'plain' }],
    ['Hi {{ user.firstName }}', false, { text: 'Hi Sara' }],
    ['{{ promoCode }}', true, { text: 'A-1' }],
    ['{% if promoCode %}{{ user.missing }}yes{% endif %}', true, { text: 'yes' }],
    ['no promoCode here', false, { text: 'no promoCode here' }],
  ])('%s', async (text, needsPromoCode, written) => {
    expect(readSmsText(text).needsPromoCode).toBe(needsPromoCode)
    expect(await write(text)).toEqual(written)
  })
  it.each([
    '{{ user.',
    '{% for a in (1..9999999) %}x{% endfor %}',
    '{{ (9007199254740992..9007199254740994) | first }}',
  ])('%s is a fault', async (text) => {
    expect(await write(text)).toEqual({ fault: expect.any(String) })
  })
})
