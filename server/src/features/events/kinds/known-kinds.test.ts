import { expect, test } from 'vitest'
import { createKnownKinds } from './known-kinds.ts'

test('kinds are kept apart by app and event', () => {
  const kinds = createKnownKinds(10)
  kinds.add(1, 'add', 'price', 'number')
  kinds.add(2, 'add', 'price', 'text')
  expect(kinds.ofEvent(1, 'add')?.get('price')).toBe('number')
  expect(kinds.ofEvent(2, 'add')?.get('price')).toBe('text')
  expect(kinds.ofEvent(1, 'remove')).toBeUndefined()
})

test('it forgets the events that were not asked for longest rather than grow without end', () => {
  const kinds = createKnownKinds(3)
  for (let index = 0; index < 10; index++) {
    kinds.add(1, `event-${index}`, 'price', 'number')
    kinds.ofEvent(1, 'event-0')
  }
  const known = Array.from({ length: 10 }, (_, index) => index).filter((index) => kinds.ofEvent(1, `event-${index}`))
  expect(known).toEqual([0, 8, 9])
})

test('each name of an event takes room', () => {
  const kinds = createKnownKinds(3)
  kinds.add(1, 'remove', 'price', 'number')
  for (const name of ['price', 'color', 'size']) kinds.add(1, 'add', name, 'text')
  expect(kinds.ofEvent(1, 'add')?.size).toBe(3)
  expect(kinds.ofEvent(1, 'remove')).toBeUndefined()
})

test('a name that is noted again takes no further room', () => {
  const kinds = createKnownKinds(2)
  for (let times = 0; times < 5; times++) kinds.add(1, 'add', 'price', 'number')
  kinds.add(1, 'add', 'color', 'text')
  expect(kinds.ofEvent(1, 'add')?.size).toBe(2)
})
