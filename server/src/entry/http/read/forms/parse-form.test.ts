import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import { parseForm } from './parse-form.ts'

describe('a form', () => {
  it.each([
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['&&a=1&&', { a: '1' }],
    ['=1', { '': '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['a[]=1', { a: ['1'] }],
    ['a[]=1&a[]=2&a=3', { a: ['1', '2', '3'] }],
    ['a[0]=1', { a: ['1'] }],
    ['a[10]=c&a[2]=b&a[0]=a', { a: ['a', 'b', 'c'] }],
    ['a[]=c&a[0]=a&a[0]=d&a[1]=b', { a: ['a', 'b', 'c', 'd'] }],
    ['a[0][]=1&a[0][]=2', { a: [['1', '2']] }],
    ['a[][b]=1&a[][c]=2', { a: [{ b: '1', c: '2' }] }],
    ['a[0][b]=1&a[1][b]=2', { a: [{ b: '1' }, { b: '2' }] }],
    ['a[b][c]=1&a[b][d]=2&a[e]=3', { a: { b: { c: '1', d: '2' }, e: '3' } }],
    ['a[b]=1&a[b]=2', { a: { b: ['1', '2'] } }],
    ['a[0]=1&a[b]=2', { a: { 0: '1', b: '2' } }],
    ['a[007]=1&a[-1]=2&a[1.5]=3', { a: { '007': '1', '-1': '2', 1.5: '3' } }],
    ['a%5Bb%5D=1+2%2B3&%D8%B3=%E2%82%AC', { a: { b: '1 2+3' }, س: '€' }],
    ['a=é+%C3%A9', { a: 'é é' }],
    ['a=50%&b=%zz%21&c=%E2%82', { a: '50%', b: '%zz!', c: '%E2%82' }],
    [
      'a[b=1&a]b=2&a[b]c=3&a[[b]]=4&[a]=5&[]=6',
      { 'a[b': '1', 'a]b': '2', 'a[b]c': '3', 'a[[b]]': '4', '[a]': '5', '[]': '6' },
    ],
    [
      'constructor=1&a[toString]=2&a[prototype][x]=3',
      { constructor: '1', a: { toString: '2', prototype: { x: '3' } } },
    ],
    ['', {}],
  ])('%s', (text, expected) => {
    expect(parseForm(text)).toEqual(expected)
  })

  it.each(['a[b]=1&a=2', 'a=1&a[b]=2', 'a[]=1&a[b]=2', 'a[0]=1&a[]=2&a[b]=3', 'a[][]=1&a[][b]=2'])(
    'is refused where a name is a text and an object: %s',
    (text) => {
      expect(() => parseForm(text)).toThrow(expect.objectContaining({ code: 'invalid-request' }))
    },
  )

  it.each([
    '__proto__=1',
    'a[__proto__]=1',
    'a[__proto__][b]=1',
    'a%5B__proto__%5D[b]=1',
    'a[][__proto__]=1',
    '__proto__[b]=1',
  ])('cannot name a prototype: %s', (text) => {
    expect(() => parseForm(text)).toThrow('"__proto__"')
    expect(({} as { b?: string }).b).toBeUndefined()
  })

  const times = (count: number, text: string) => Array(count).fill(text).join('&')
  it.each([
    ['bytes', (size: number) => `a=${'x'.repeat(size - 2)}`, limits.formBytes],
    ['bytes', (size: number) => `a=${'é'.repeat((size - 2) / 2)}${'x'.repeat(size % 2)}`, limits.formBytes],
    ['parameters', (size: number) => times(size, 'a=1'), limits.formParameters],
    ['levels', (size: number) => `a${'[b]'.repeat(size - 1)}=1`, limits.jsonDepth],
    ['levels', (size: number) => `a${'[]'.repeat(size - 1)}=1`, limits.jsonDepth],
    ['as an index', (size: number) => `a[${size}]=1`, limits.formIndex],
    [
      'parts of names',
      (size: number) => `${times(Math.floor(size / 5) - 1, 'a[b][c][d][e]')}&d[b][c][d]&e${size % 5 ? '[b]' : ''}`,
      limits.formParts,
    ],
  ])('is refused with one more than the limit: %s', (of, make, max) => {
    parseForm(make(max))
    const message = `The form has ${max + 1} ${of}; at most ${max} are allowed.`
    expect(() => parseForm(make(max + 1))).toThrow(expect.objectContaining({ code: 'too-large', message }))
  })

  it('loses none of its texts, whatever its names are', () => {
    const key = fc.constantFrom('a', 'b', '0', '1', '2', '', '[', ']', '%', 'é')
    const name = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.array(key, { maxLength: 4 }))
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (names) => {
        const text = names.map(([top, keys], index) => `${top}${keys.map((each) => `[${each}]`).join('')}=text${index}`)
        let value: unknown
        try {
          value = parseForm(text.join('&'))
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid-request' })
          return
        }
        const texts = [...JSON.stringify(value).matchAll(/"(text\d+)"/g)].map((match) => match[1] as string)
        expect(texts.sort()).toEqual(names.map((_, index) => `text${index}`).sort())
      }),
    )
  })
})
