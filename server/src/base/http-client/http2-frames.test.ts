import { expect, it } from 'vitest'
import { RequestHeaders } from './http2-frames.ts'

it('lists the headers of each request, whatever the one before had', () => {
  const lists = new RequestHeaders(new URL('https://push.example'))
  const headers = { authorization: 'Bearer one' }
  const write = (path: string, body: string | undefined, own: Record<string, string> = headers) =>
    lists.write({ method: 'POST', path, headers: own, ...(body !== undefined && { body }) }).join(' ')
  const begin = (path: string) => `:method POST :path ${path} :scheme https :authority push.example`
  expect(write('/a', 'long')).toBe(`${begin('/a')} authorization Bearer one content-length 4`)
  expect(write('/a', 'س')).toBe(`${begin('/a')} authorization Bearer one content-length 2`)
  expect(write('/b', undefined)).toBe(`${begin('/b')} authorization Bearer one`)
  expect(write('/b', '', { authorization: 'Bearer two' })).toBe(
    `${begin('/b')} authorization Bearer two content-length 0`,
  )
  expect(() => write('/ b', '')).toThrow('its path')
  expect(() => write('/b', '', { authorization: 'a\0b' })).toThrow('NUL')
  expect(write('/a', 'x')).toBe(`${begin('/a')} authorization Bearer one content-length 1`)
})
