import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkText } from './check-text.ts'

const check = (json: string) => checkText(json, JSON.parse(json))

describe('a body', () => {
  it.each([
    ['{"a":[{"b":"\\u0000"}]}', 'invalid-text', '"a[0].b" contains the character U+0000.'],
    ['{"a":{"\\u0000":1}}', 'invalid-text', '"a" contains the character U+0000.'],
    ['{"a":["\\ud800"]}', 'invalid-text', '"a[0]" contains a lone surrogate.'],
    ['[{"a":1e400}]', 'invalid-request', '"0.a" is a number too large to keep.'],
    [`{"a":${'1'.repeat(310)}}`, 'invalid-request', '"a" is a number too large to keep.'],
    [`{"a":[0,-${'9'.repeat(400)}.5]}`, 'invalid-request', '"a[1]" is a number too large to keep.'],
    ['{"a":{"__proto__":1}}', 'invalid-request', 'The key "__proto__" is not allowed in "a".'],
    ['{"a":{"\\u005f_proto__":1}}', 'invalid-request', 'The key "__proto__" is not allowed in "a".'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 'invalid-json', 'The body is nested deeper than 32 levels.'],
  ])('is refused: %s', (json, code, message) => {
    expect(() => check(json)).toThrow(expect.objectContaining({ code, message }))
  })

  it.each([
    '{"a":"\\ud83d\\ude00"}',
    `{"a":${'1'.repeat(308)}}`,
    `{"a":"${'1'.repeat(1_000)}"}`,
    `[${'['.repeat(31)}${']'.repeat(31)}]`,
    `[${Array(100).fill('[]')}]`,
    '{"constructor":{"prototype":1}}',
  ])('is accepted: %s', (json) => {
    expect(() => check(json)).not.toThrow()
  })

  it('is refused if and only if a number in it is infinite, however it is written', () => {
    const digits = fc.integer({ min: 1, max: 400 }).map((length) => '7'.repeat(length))
    const number = fc.tuple(digits, fc.constantFrom('', '.5', 'e5', 'E+99', 'e+300', 'e-300'))
    fc.assert(
      fc.property(
        fc.array(
          number.map((parts) => parts.join('')),
          { minLength: 1 },
        ),
        (numbers) => {
          const isAccepted = numbers.every((text) => Number.isFinite(Number(text)))
          const attempt = expect(() => check(`[${numbers}]`))
          if (isAccepted) attempt.not.toThrow()
          else attempt.toThrow('too large to keep')
        },
      ),
    )
  })
})
