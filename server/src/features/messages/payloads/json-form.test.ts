import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutForm, fillForm, holeFor } from './json-form.ts'

const text = fc.string({ unit: fc.oneof(fc.constantFrom('"', '\\', '\n', 'é', '😀', '\u0001'), fc.string()) })

describe('a JSON text with holes', () => {
  it('becomes what writing the whole with the texts in it would give, at any depth, with its size', () => {
    fc.assert(
      fc.property(text, text, text, (first, second, fixed) => {
        const write = (one: string, two: string) =>
          JSON.stringify({ one, fixed, inner: JSON.stringify({ two, list: [one, JSON.stringify([two])] }), [fixed]: 1 })
        const form = cutForm(write(holeFor('a'), holeFor('b')))
        const { json, bytes } = fillForm(form, (name) => (name === 'a' ? first : second))
        const expected = write(first, second)
        expect(json).toBe(expected)
        expect(bytes).toBe(Buffer.byteLength(expected))
      }),
    )
  })

  it('without holes is itself', () => {
    expect(fillForm(cutForm('{"a":"é"}'), String)).toEqual({ json: '{"a":"é"}', bytes: 10 })
  })
})
