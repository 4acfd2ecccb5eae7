import { expect, it } from 'vitest'
import { findTokens, findTokensOfBody, redactTokens, redactValue } from './redact-tokens.ts'

const token = '0123456789abcdef0123456789abcdef01234567'
const twice = encodeURIComponent(encodeURIComponent(`?access_token=${token}`))
const everyCharacter = [...token].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('')

it.each([
  [`/api/app&access_token=${token}`, '/api/app&access_token=[redacted]'],
  [`/api/app;access_token=${token};x=1`, '/api/app;access_token=[redacted];x=1'],
  [`/api/app/${token}`, '/api/app/[redacted]'],
  [`/api/${token}/app`, '/api/[redacted]/app'],
  ['/api/app&access_token=short', '/api/app&access_token=[redacted]'],
  [`/api/app${encodeURIComponent(`?access_token=${token}`)}`, '/api/app%3Faccess_token%3D[redacted]'],
  [`/api/app${twice}`, '/api/app%253Faccess_token%253D[redacted]'],
  [`/api/app/${everyCharacter}`, '/api/app/[redacted]'],
  [`/api/app/${encodeURIComponent(everyCharacter)}`, '/api/app/[redacted]'],
  [`/api/app/${token}${'a'.repeat(24)}`, '/api/app/[redacted]'],
  [`/api/app&ACCESS_TOKEN=${token.toUpperCase()}`, '/api/app&ACCESS_TOKEN=[redacted]'],
])('%s is %s', (text, expected) => {
  expect(redactTokens(text)).toBe(expected)
})

it.each([
  '/api/installations/addTag/u1/50%25',
  '/api/messages/0192f5a0-7c1e-7000-8000-000000000001',
  `/x/${'a'.repeat(39)}`,
])('%s is left alone', (text) => {
  expect(redactTokens(text)).toBe(text)
})

it('leaves no piece of a token that the request carried, in texts and names at any depth', () => {
  const details = {
    field: `x.${token.slice(0, 30)}`,
    [token]: [{ at: `${token.slice(10)}f`, count: 3 }],
    other: 'deadbeefcafe',
  }
  expect(redactValue(details, [token])).toEqual({
    field: 'x.[redacted]',
    '[redacted]': [{ at: '[redacted]', count: 3 }],
    other: 'deadbeefcafe',
  })
})

it('finds what has the form of a token, however it is encoded', () => {
  expect(findTokens(['/api', everyCharacter, `a=${twice}`])).toEqual([token, token])
})

it('finds it in a body, however that writes it', () => {
  const escaped = [...token].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join('')
  const body = `{"a":"${token.toUpperCase()}","b":"${'c'.repeat(39)}","d":"${'e'.repeat(64)}","f":"${escaped}"}`
  expect(findTokensOfBody(body)).toEqual([token, 'e'.repeat(64), token])
  expect(findTokensOfBody(`a=1&b=${everyCharacter}`)).toEqual([token])
})
