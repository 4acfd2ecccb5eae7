import { expect, it } from 'vitest'
import { typedInto } from './typed-into.ts'

it('has what was typed, not what stood there', () => {
  expect(typedInto('Platform', 'Platformtag')).toBe('tag')
  expect(typedInto('Platform', 'tagPlatform')).toBe('tag')
  expect(typedInto('Platform', 'Plattagform')).toBe('tag')
  expect(typedInto('سکو', 'سکوب')).toBe('ب')
  expect(typedInto('Platform', 'tag')).toBe('tag')
  expect(typedInto('', 'tag')).toBe('tag')
})

it('has nothing when letters were only removed', () => {
  expect(typedInto('Platform', 'Platfor')).toBe('')
  expect(typedInto('aaa', 'aa')).toBe('')
  expect(typedInto('Platform', '')).toBe('')
})

it('has a letter that stood there already', () => {
  expect(typedInto('Tag', 'Tagg')).toBe('g')
  expect(typedInto('aaa', 'aaaa')).toBe('a')
})
