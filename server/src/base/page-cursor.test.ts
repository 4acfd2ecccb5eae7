import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import {
  invalidCursor,
  readIdCursor,
  readNumberCursor,
  readTimeAndIdCursor,
  readTimeCursor,
  writeTimeCursor,
} from './page-cursor.ts'

const id = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'
const refusal = expect.objectContaining({ code: 'invalid-request', details: { field: 'cursor' } })

it('reads the cursor that it wrote, whatever the name is', () => {
  fc.assert(
    fc.property(fc.nat({ max: 99_999_999_999_999 }), fc.string({ minLength: 1, unit: 'binary' }), (time, text) => {
      const name = text.toWellFormed().replaceAll('\0', '.')
      expect(readTimeCursor(writeTimeCursor({ time, name }))).toEqual({ time, name })
    }),
  )
})

test('no cursor is the beginning', () => {
  for (const read of [readIdCursor, readNumberCursor, readTimeCursor, readTimeAndIdCursor])
    expect(read(undefined)).toBeUndefined()
  expect([readIdCursor(id), readNumberCursor('17')]).toEqual([id, 17])
  expect(readTimeAndIdCursor(writeTimeCursor({ time: 5, name: id }))).toEqual({ time: 5, name: id })
})

test.each([
  [readIdCursor, '17'],
  [readNumberCursor, id],
  [readNumberCursor, '-1'],
  [readNumberCursor, '1'.repeat(16)],
  [readTimeCursor, id],
  [readTimeCursor, writeTimeCursor({ time: -1, name: 'x' })],
  [readTimeCursor, writeTimeCursor({ time: 999_999_999_999_999, name: 'x' })],
  [readTimeAndIdCursor, writeTimeCursor({ time: 5, name: 'x' })],
])('%o refuses %s', (read, cursor) => {
  expect(() => read(cursor)).toThrow(refusal)
  expect(invalidCursor()).toEqual(refusal)
})
