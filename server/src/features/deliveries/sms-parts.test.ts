import { describe, expect, it } from 'vitest'
import { readPhone } from './sms-phone.ts'
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
  const recipient = { userId: 'u', attributes: { firstName: 'Sara' }, promoCode: 'A-1' }
  it.each([
    ['plain', false, { text: 'plain' }],
    ['Hi {{ user.firstName }}', false, { text: 'Hi Sara' }],
    ['{{ promoCode }}', true, { text: 'A-1' }],
    ['{% if promoCode %}{{ user.missing }}yes{% endif %}', true, { text: 'yes' }],
    ['no promoCode here', false, { text: 'no promoCode here' }],
  ])('%s', (text, needsPromoCode, written) => {
    const read = readSmsText(text)
    expect(read.needsPromoCode).toBe(needsPromoCode)
    expect(read.write(recipient)).toEqual(written)
  })
  it('that does not parse, or takes too long, is a fault', () => {
    expect(readSmsText('{{ user.').write(recipient)).toEqual({ fault: expect.any(String) })
    expect(readSmsText('{% for a in (1..9999999) %}x{% endfor %}').write(recipient)).toEqual({
      fault: expect.any(String),
    })
  })
})
