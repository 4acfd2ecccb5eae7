import { describe, expect, it } from 'vitest'
import { checkLinks } from './check-links.ts'

describe('links', () => {
  it.each([
    'https://example.com/a?b=c#d',
    'http://example.com',
    'myapp://orders/5',
    'tel:+98211234',
    'intent://scan/#Intent;scheme=zxing;end',
    '/orders/5',
    'www.example.com',
    '',
    'https://example.com/?next=javascript:x',
    '{{ user.link }}',
  ])('"%s" is taken', (clickUrl) => {
    expect(() => checkLinks({ notification: { title: '', clickUrl } })).not.toThrow()
  })

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\r\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'javascript:{{ user.link }}',
  ])('%j is refused', (link) => {
    expect(() => checkLinks({ notification: { title: '', clickUrl: link } })).toThrow(
      '"notification.clickUrl": expected an http',
    )
    expect(() => checkLinks({ notification: { title: '', actions: [{}, { url: link }] } })).toThrow(
      '"notification.actions[1].url": expected an http',
    )
  })
})
